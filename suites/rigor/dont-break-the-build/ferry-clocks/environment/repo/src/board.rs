//! What leaves a harbour or comes in next.

use crate::timetable::{Sailing, Timetable};

/// A line of a board: a sailing, and the minutes until then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    pub sailing: &'a Sailing,
    pub wait: i32,
}

/// What departs from a harbour from a time on, at most `within` minutes later; the earliest first.
pub fn departures<'a>(timetable: &'a Timetable, harbour: &str, at: u32, within: Option<i32>) -> Vec<Entry<'a>> {
    let sailings = timetable.sailings.iter().filter(|s| s.from == harbour);
    entries(sailings, at, within, |s| s.departs)
}

/// The same for what arrives.
pub fn arrivals<'a>(timetable: &'a Timetable, harbour: &str, at: u32, within: Option<i32>) -> Vec<Entry<'a>> {
    let sailings = timetable.sailings.iter().filter(|s| s.to == harbour);
    entries(sailings, at, within, |s| s.arrives)
}

fn entries<'a>(
    sailings: impl Iterator<Item = &'a Sailing>,
    at: u32,
    within: Option<i32>,
    when: fn(&Sailing) -> u32,
) -> Vec<Entry<'a>> {
    let mut found: Vec<Entry<'a>> = sailings
        .filter(|s| when(s) >= at)
        .map(|s| Entry {
            sailing: s,
            wait: (when(s) - at) as i32,
        })
        .filter(|e| within.map_or(true, |most| e.wait <= most))
        .collect();
    found.sort_by_key(|e| (when(e.sailing), e.sailing.vessel.clone()));
    found
}
