//! What is kept and why, and what is dropped.

use std::collections::{BTreeMap, HashSet};

use crate::catalogue::{Catalogue, Snapshot};
use crate::date::Moment;
use crate::rules::Rule;

/// A snapshot and why it is kept; without a reason it is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub snapshot: Snapshot,
    pub reasons: Vec<String>,
}

impl Verdict {
    pub fn kept(&self) -> bool {
        !self.reasons.is_empty()
    }
}

/// A verdict for each snapshot, in the order of the catalogue.
pub fn plan(catalogue: &Catalogue, rules: &[Rule]) -> Vec<Verdict> {
    let mut series: BTreeMap<&str, Vec<&Snapshot>> = BTreeMap::new();
    for snapshot in catalogue.snapshots() {
        series.entry(&snapshot.series).or_default().push(snapshot);
    }
    let mut reasons: BTreeMap<Moment, Vec<String>> = BTreeMap::new();
    for snapshots in series.values_mut() {
        snapshots.sort_by(|a, b| b.taken.cmp(&a.taken));
        for rule in rules {
            for taken in kept_by(*rule, snapshots) {
                reasons.entry(taken).or_default().push(rule.to_string());
            }
        }
    }
    catalogue
        .snapshots()
        .map(|snapshot| Verdict {
            snapshot: snapshot.clone(),
            reasons: reasons.remove(&snapshot.taken).unwrap_or_default(),
        })
        .collect()
}

/// Which of the snapshots of a series, newest first, a rule keeps.
fn kept_by(rule: Rule, snapshots: &[&Snapshot]) -> Vec<Moment> {
    let newest_of = |count: usize, key: &dyn Fn(&Snapshot) -> i64| {
        let mut seen = HashSet::new();
        snapshots.iter().filter(|s| seen.len() < count && seen.insert(key(s))).map(|s| s.taken).collect()
    };
    match rule {
        Rule::Last(count) => snapshots.iter().take(count).map(|s| s.taken).collect(),
        Rule::Daily(count) => newest_of(count, &|s| s.taken.day.0),
        Rule::Weekly(count) => newest_of(count, &|s| s.taken.day.week()),
    }
}

/// The moments of what is dropped.
pub fn dropped(verdicts: &[Verdict]) -> Vec<Moment> {
    verdicts.iter().filter(|v| !v.kept()).map(|v| v.snapshot.taken).collect()
}
