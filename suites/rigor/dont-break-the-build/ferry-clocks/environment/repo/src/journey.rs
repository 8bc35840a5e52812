//! How to get from one harbour to another.

use std::collections::BTreeMap;

use crate::timetable::{Sailing, Timetable};

/// Sailings one after the other; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journey<'a> {
    pub legs: Vec<&'a Sailing>,
}

impl Journey<'_> {
    pub fn departs(&self) -> u32 {
        self.legs[0].departs
    }

    pub fn arrives(&self) -> u32 {
        self.legs[self.legs.len() - 1].arrives
    }

    /// Minutes from the first departure to the last arrival.
    pub fn total(&self) -> i32 {
        (self.arrives() - self.departs()) as i32
    }

    /// The minutes spent between two legs, in order.
    pub fn waits(&self) -> Vec<i32> {
        self.legs.windows(2).map(|pair| (pair[1].departs - pair[0].arrives) as i32).collect()
    }

    /// How often one has to change vessels.
    pub fn changes(&self) -> usize {
        self.legs.windows(2).filter(|pair| pair[0].vessel != pair[1].vessel).count()
    }
}

/// The journey that arrives first; of several the one with the fewest legs.
pub fn earliest<'a>(timetable: &'a Timetable, from: &str, to: &str, after: u32) -> Option<Journey<'a>> {
    let mut sailings: Vec<&Sailing> = timetable.sailings.iter().filter(|s| s.departs >= after).collect();
    // Every leg starts after the one before has ended, so one pass by departure is enough.
    sailings.sort_by_key(|s| (s.departs, s.arrives));
    let mut reached: BTreeMap<&str, Vec<Vec<&Sailing>>> = BTreeMap::new();
    let mut best: Option<Vec<&Sailing>> = None;
    for sailing in sailings {
        let way = if sailing.from == from {
            Some(vec![sailing])
        } else {
            let ways = reached.get(sailing.from.as_str()).into_iter().flatten();
            let possible = ways.filter(|w| can_change(timetable, w[w.len() - 1], sailing));
            possible.min_by_key(|w| w.len()).map(|w| [w.as_slice(), &[sailing]].concat())
        };
        let Some(way) = way else { continue };
        if sailing.to == to && best.as_ref().map_or(true, |b| rank(&way) < rank(b)) {
            best = Some(way.clone());
        }
        reached.entry(&sailing.to).or_default().push(way);
    }
    best.map(|legs| Journey { legs })
}

fn rank(way: &[&Sailing]) -> (u32, usize) {
    (way[way.len() - 1].arrives, way.len())
}

/// Whether one can go on with `next`: on the same vessel at once, else after the time for a change.
fn can_change(timetable: &Timetable, last: &Sailing, next: &Sailing) -> bool {
    let needed = if last.vessel == next.vessel { 0 } else { timetable.transfer(&next.from) };
    next.departs >= last.arrives + needed as u32
}
