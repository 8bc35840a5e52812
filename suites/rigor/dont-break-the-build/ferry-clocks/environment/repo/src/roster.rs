//! The day of a vessel, and what cannot be sailed.

use crate::minutes::{show_span, show_time};
use crate::timetable::Timetable;

/// A vessel's time in a harbour between two sailings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stay {
    pub harbour: String,
    pub from: u32,
    pub until: u32,
}

impl Stay {
    pub fn length(&self) -> i32 {
        self.until as i32 - self.from as i32
    }
}

/// The figures of a vessel's day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub first: u32,
    pub last: u32,
    /// Minutes under way, and minutes in harbours between sailings.
    pub at_sea: i32,
    pub in_harbour: i32,
}

/// Where a vessel lies between its sailings. A stay is negative where it would have to leave before it has come.
pub fn stays(timetable: &Timetable, vessel: &str) -> Vec<Stay> {
    let sailings = timetable.of_vessel(vessel);
    let pairs = sailings.windows(2);
    pairs
        .map(|pair| Stay {
            harbour: pair[0].to.clone(),
            from: pair[0].arrives,
            until: pair[1].departs,
        })
        .collect()
}

pub fn day(timetable: &Timetable, vessel: &str) -> Option<Day> {
    let sailings = timetable.of_vessel(vessel);
    let first = sailings.first()?.departs;
    let last = sailings.iter().map(|s| s.arrives).max()?;
    Some(Day {
        first,
        last,
        at_sea: sailings.iter().map(|s| s.crossing()).sum(),
        in_harbour: stays(timetable, vessel).iter().map(|s| s.length()).sum(),
    })
}

/// One line for each thing that cannot be sailed as it is written.
pub fn conflicts(timetable: &Timetable) -> Vec<String> {
    let mut found = Vec::new();
    for vessel in timetable.vessels() {
        let sailings = timetable.of_vessel(vessel);
        for (stay, pair) in stays(timetable, vessel).iter().zip(sailings.windows(2)) {
            let at = show_time(stay.until);
            if pair[1].from != stay.harbour {
                found.push(format!(
                    "{vessel} {at}: leaves {} but lies in {}",
                    pair[1].from, stay.harbour
                ));
            } else if stay.length() < timetable.turnaround {
                let missing = timetable.turnaround - stay.length();
                found.push(format!(
                    "{vessel} {at}: {} too short a stay in {}",
                    show_span(missing),
                    stay.harbour
                ));
            }
        }
    }
    found
}
