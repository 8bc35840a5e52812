//! How often one can sail from one harbour to another.

use crate::timetable::Timetable;

/// Between two departures that follow each other: when it begins, and its minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    pub begins: u32,
    pub length: i32,
}

/// The gaps between direct sailings, in order of time.
pub fn gaps(timetable: &Timetable, from: &str, to: &str) -> Vec<Gap> {
    let direct = timetable.sailings.iter().filter(|s| s.from == from && s.to == to);
    let mut times: Vec<u32> = direct.map(|s| s.departs).collect();
    times.sort();
    times
        .windows(2)
        .map(|pair| Gap {
            begins: pair[0],
            length: (pair[1] - pair[0]) as i32,
        })
        .collect()
}

/// The longest gap; of several the first.
pub fn longest(gaps: &[Gap]) -> Option<Gap> {
    gaps.iter().copied().reduce(|best, gap| if gap.length > best.length { gap } else { best })
}

/// The mean of the gaps in whole minutes, halves rounded up.
pub fn average(gaps: &[Gap]) -> Option<i32> {
    if gaps.is_empty() {
        return None;
    }
    let sum: i32 = gaps.iter().map(|g| g.length).sum();
    let count = gaps.len() as i32;
    Some((2 * sum + count) / (2 * count))
}
