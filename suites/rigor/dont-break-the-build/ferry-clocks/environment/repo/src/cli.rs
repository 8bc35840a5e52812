//! The command line.

use std::fmt::Write;

use crate::board::{arrivals, departures, Entry};
use crate::delays::delay;
use crate::gaps::{average, gaps, longest};
use crate::journey::earliest;
use crate::minutes::{parse_span, parse_time, show_span, show_time};
use crate::problem::Problem;
use crate::reader::read;
use crate::roster::{conflicts, day, stays};
use crate::timetable::{Sailing, Timetable};
use crate::writer::write;

const USAGE: &str = "usage: slipway FILE board|arrivals HARBOUR [--at TIME] [--within DURATION]
       slipway FILE journey FROM TO [--after TIME]
       slipway FILE day VESSEL
       slipway FILE gaps FROM TO
       slipway FILE check
       slipway FILE delay VESSEL [--from TIME] --by DURATION
       slipway FILE show";

/// Run a command; what it prints is added to `out`.
pub fn run(words: &[String], out: &mut String) -> Result<(), Problem> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [file, command, rest @ ..] = words.as_slice() else {
        return Err(Problem::new(USAGE));
    };
    let text = std::fs::read_to_string(file).map_err(|e| Problem::new(format!("{file}: {e}")))?;
    let timetable = read(&text).map_err(|p| Problem::new(format!("{file}: {p}")))?;
    let (names, options) = split(rest)?;
    let printed = match (*command, names.as_slice()) {
        ("board", [harbour]) => board(&timetable, harbour, &options, false)?,
        ("arrivals", [harbour]) => board(&timetable, harbour, &options, true)?,
        ("journey", [from, to]) => journey(&timetable, from, to, &options)?,
        ("day", [vessel]) => vessel_day(&timetable, vessel)?,
        ("gaps", [from, to]) => show_gaps(&timetable, from, to),
        ("check", []) => check(&timetable),
        ("delay", [vessel]) => delayed(&timetable, vessel, &options)?,
        ("show", []) => write(&timetable),
        _ => return Err(Problem::new(USAGE)),
    };
    out.push_str(&printed);
    Ok(())
}

type Options<'a> = Vec<(&'a str, &'a str)>;

/// Plain words, and options with their values.
fn split<'a>(words: &[&'a str]) -> Result<(Vec<&'a str>, Options<'a>), Problem> {
    let mut names = Vec::new();
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            Some(name) => {
                let value = words.next().ok_or_else(|| Problem::new(format!("{word}: needs a value")))?;
                options.push((name, *value));
            }
            None => names.push(*word),
        }
    }
    Ok((names, options))
}

fn option<'a>(options: &Options<'a>, name: &str) -> Option<&'a str> {
    options.iter().rev().find(|(n, _)| *n == name).map(|(_, value)| *value)
}

/// A time among the options; the start of the service day when it is not given.
fn time(options: &Options<'_>, name: &str) -> Result<u32, Problem> {
    option(options, name).map_or(Ok(0), parse_time)
}

fn known(timetable: &Timetable, harbour: &str) -> Result<(), Problem> {
    if timetable.harbours().contains(harbour) {
        return Ok(());
    }
    Err(Problem::new(format!("{harbour}: no such harbour")))
}

fn board(timetable: &Timetable, harbour: &str, options: &Options<'_>, arriving: bool) -> Result<String, Problem> {
    known(timetable, harbour)?;
    let at = time(options, "at")?;
    let within = option(options, "within").map(parse_span).transpose()?;
    let entries = match arriving {
        true => arrivals(timetable, harbour, at, within),
        false => departures(timetable, harbour, at, within),
    };
    let mut out = String::new();
    for entry in &entries {
        out.push_str(&line(entry, arriving));
    }
    if entries.is_empty() {
        let _ = writeln!(out, "nothing from {} on", show_time(at));
    }
    Ok(out)
}

/// Fixed columns: the displays cut a line by its places.
fn line(entry: &Entry<'_>, arriving: bool) -> String {
    let Sailing { vessel, from, to, .. } = entry.sailing;
    let (when, other) = match arriving {
        true => (entry.sailing.arrives, from),
        false => (entry.sailing.departs, to),
    };
    format!("{:>6} {other:<10}{vessel:<10}{:>9}\n", show_time(when), show_span(entry.wait))
}

fn journey(timetable: &Timetable, from: &str, to: &str, options: &Options<'_>) -> Result<String, Problem> {
    known(timetable, from)?;
    known(timetable, to)?;
    let after = time(options, "after")?;
    let Some(found) = earliest(timetable, from, to, after) else {
        return Ok(format!("no way from {from} to {to} after {}\n", show_time(after)));
    };
    let mut out = String::new();
    let waits = found.waits();
    for (number, leg) in found.legs.iter().enumerate() {
        if number > 0 {
            let _ = writeln!(out, "       {} in {}", show_span(waits[number - 1]), leg.from);
        }
        let (departs, arrives) = (show_time(leg.departs), show_time(leg.arrives));
        let _ = writeln!(out, "{departs:<7}{} - {} {arrives} ({})", leg.from, leg.to, leg.vessel);
    }
    let changes = found.changes();
    let _ = writeln!(out, "{} with {changes} changes", show_span(found.total()));
    Ok(out)
}

fn vessel_day(timetable: &Timetable, vessel: &str) -> Result<String, Problem> {
    let Some(found) = day(timetable, vessel) else {
        return Err(Problem::new(format!("{vessel}: no such vessel")));
    };
    let (first, last) = (show_time(found.first), show_time(found.last));
    let mut out = format!("{vessel} {first}-{last}\n");
    for stay in stays(timetable, vessel) {
        let (from, until) = (show_time(stay.from), show_time(stay.until));
        let _ = writeln!(out, "{:<10}{from}-{until}{:>9}", stay.harbour, show_span(stay.length()));
    }
    let (sea, harbour) = (show_span(found.at_sea), show_span(found.in_harbour));
    let _ = writeln!(out, "at sea {sea}, in harbour {harbour}");
    Ok(out)
}

fn show_gaps(timetable: &Timetable, from: &str, to: &str) -> String {
    let found = gaps(timetable, from, to);
    let (Some(worst), Some(mean)) = (longest(&found), average(&found)) else {
        return format!("fewer than two sailings from {from} to {to}\n");
    };
    let begins = show_time(worst.begins);
    let (worst, mean) = (show_span(worst.length), show_span(mean));
    format!("{} sailings, {mean} apart, at most {worst} from {begins} on\n", found.len() + 1)
}

fn check(timetable: &Timetable) -> String {
    let found = conflicts(timetable);
    if found.is_empty() {
        return "nothing to complain of\n".to_string();
    }
    found.iter().map(|line| format!("{line}\n")).collect()
}

fn delayed(timetable: &Timetable, vessel: &str, options: &Options<'_>) -> Result<String, Problem> {
    let by = option(options, "by").ok_or_else(|| Problem::new("delay: needs --by DURATION"))?;
    let moved = delay(timetable, vessel, time(options, "from")?, parse_span(by)?)?;
    Ok(write(&moved))
}
