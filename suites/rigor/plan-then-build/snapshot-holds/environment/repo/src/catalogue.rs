//! The catalogue: a text file with a snapshot per line.

use std::fs;
use std::path::Path;

use crate::date::Moment;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub taken: Moment,
    pub series: String,
    /// In megabytes.
    pub size: u64,
}

/// A line of the file: a snapshot, or something that is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Snapshot(Snapshot),
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    pub lines: Vec<Line>,
}

impl Catalogue {
    pub fn parse(text: &str) -> Result<Catalogue, Error> {
        let mut lines: Vec<Line> = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let bare = text.trim();
            if bare.is_empty() || bare.starts_with('#') {
                lines.push(Line::Other(text.to_string()));
                continue;
            }
            let snapshot = parse_snapshot(bare).map_err(|why| Error::Data(format!("line {}: {why}", index + 1)))?;
            let taken = snapshot.taken;
            if lines.iter().any(|line| matches!(line, Line::Snapshot(other) if other.taken == taken)) {
                return Err(Error::Data(format!("line {}: a second snapshot of {taken}", index + 1)));
            }
            lines.push(Line::Snapshot(snapshot));
        }
        Ok(Catalogue { lines })
    }

    pub fn load(path: &Path) -> Result<Catalogue, Error> {
        let text = fs::read_to_string(path).map_err(|why| Error::Data(format!("{}: {why}", path.display())))?;
        Catalogue::parse(&text).map_err(|why| Error::Data(format!("{}: {why}", path.display())))
    }

    /// Write the file beside its place first, so that it is never half written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let fail = |why: std::io::Error| Error::Data(format!("{}: {why}", path.display()));
        let mut draft = path.as_os_str().to_owned();
        draft.push(".new");
        fs::write(&draft, self.text()).map_err(fail)?;
        fs::rename(&draft, path).map_err(fail)
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            match line {
                Line::Snapshot(snapshot) => text.push_str(&snapshot_text(snapshot)),
                Line::Other(other) => text.push_str(other),
            }
            text.push('\n');
        }
        text
    }

    pub fn snapshots(&self) -> impl Iterator<Item = &Snapshot> {
        self.lines.iter().filter_map(|line| match line {
            Line::Snapshot(snapshot) => Some(snapshot),
            Line::Other(_) => None,
        })
    }

    /// Take the snapshots out that were taken at these moments.
    pub fn remove(&mut self, gone: &[Moment]) {
        self.lines.retain(|line| !matches!(line, Line::Snapshot(snapshot) if gone.contains(&snapshot.taken)));
    }
}

fn parse_snapshot(text: &str) -> Result<Snapshot, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [taken, series, size] = words[..] else {
        return Err(format!("expected when, series and size, not {text:?}"));
    };
    let taken = Moment::parse(taken).ok_or_else(|| format!("no date and time: {taken:?}"))?;
    if !series.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(format!("no name of a series: {series:?}"));
    }
    let size = size.parse().map_err(|_| format!("no size in megabytes: {size:?}"))?;
    Ok(Snapshot { taken, series: series.to_string(), size })
}

fn snapshot_text(snapshot: &Snapshot) -> String {
    format!("{} {} {}", snapshot.taken, snapshot.series, snapshot.size)
}
