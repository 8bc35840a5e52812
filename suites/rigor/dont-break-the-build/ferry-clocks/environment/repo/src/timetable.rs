//! Sailings, and how long vessels and passengers need between them.

use std::collections::{BTreeMap, BTreeSet};

/// One crossing. `departs` and `arrives` are minutes of the service day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sailing {
    pub vessel: String,
    pub from: String,
    pub to: String,
    pub departs: u32,
    pub arrives: u32,
}

impl Sailing {
    /// How long it takes, in minutes.
    pub fn crossing(&self) -> i32 {
        (self.arrives - self.departs) as i32
    }
}

/// A timetable. Sailings are kept in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    pub sailings: Vec<Sailing>,
    /// Minutes that every vessel needs between two sailings.
    pub turnaround: i32,
    /// Minutes that passengers need to change vessels, by harbour.
    pub transfers: BTreeMap<String, i32>,
}

/// For harbours without a transfer of their own, in minutes.
pub const TRANSFER: i32 = 5;

impl Default for Timetable {
    fn default() -> Self {
        Timetable {
            sailings: Vec::new(),
            turnaround: 0,
            transfers: BTreeMap::new(),
        }
    }
}

impl Timetable {
    pub fn transfer(&self, harbour: &str) -> i32 {
        self.transfers.get(harbour).copied().unwrap_or(TRANSFER)
    }

    pub fn harbours(&self) -> BTreeSet<&str> {
        self.sailings
            .iter()
            .flat_map(|s| [s.from.as_str(), s.to.as_str()])
            .collect()
    }

    /// Vessels in the order of the file.
    pub fn vessels(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for sailing in &self.sailings {
            if !found.contains(&sailing.vessel.as_str()) {
                found.push(&sailing.vessel);
            }
        }
        found
    }

    /// The sailings of a vessel by their time.
    pub fn of_vessel(&self, vessel: &str) -> Vec<&Sailing> {
        let mut found: Vec<&Sailing> = self.sailings.iter().filter(|s| s.vessel == vessel).collect();
        found.sort_by_key(|s| s.departs);
        found
    }
}
