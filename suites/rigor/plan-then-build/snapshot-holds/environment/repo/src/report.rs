//! What is printed.

use crate::catalogue::Catalogue;
use crate::plan::Verdict;

pub fn list(catalogue: &Catalogue) -> String {
    let mut text = String::new();
    let mut total = 0;
    for snapshot in catalogue.snapshots() {
        text.push_str(&format!("{}  {:<10} {:>7} MB\n", snapshot.taken, snapshot.series, snapshot.size));
        total += snapshot.size;
    }
    text.push_str(&format!("{} snapshots, {total} MB\n", catalogue.snapshots().count()));
    text
}

pub fn plan(verdicts: &[Verdict]) -> String {
    let mut text = String::new();
    for verdict in verdicts {
        let what = if verdict.kept() { format!("keep ({})", verdict.reasons.join(", ")) } else { "drop".to_string() };
        text.push_str(&format!("{}  {:<10} {what}\n", verdict.snapshot.taken, verdict.snapshot.series));
    }
    text.push_str(&summary(verdicts));
    text
}

/// The last line of a plan, and what `prune` prints.
pub fn summary(verdicts: &[Verdict]) -> String {
    let kept = verdicts.iter().filter(|v| v.kept()).count();
    let freed: u64 = verdicts.iter().filter(|v| !v.kept()).map(|v| v.snapshot.size).sum();
    format!("{kept} kept, {} dropped, {freed} MB freed\n", verdicts.len() - kept)
}
