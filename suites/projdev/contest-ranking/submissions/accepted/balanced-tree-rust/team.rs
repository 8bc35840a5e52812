// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
//! Submissions, cells, teams, and the keys by which teams are listed.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, Copy, PartialEq)]
pub enum Verdict {
    Accepted,
    Wrong,
    Crash,
    Slow,
    Compile,
}

pub const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Accepted, "accepted"),
    (Verdict::Wrong, "wrong"),
    (Verdict::Crash, "crash"),
    (Verdict::Slow, "slow"),
    (Verdict::Compile, "compile"),
];

impl Verdict {
    pub fn named(name: &str) -> Option<Verdict> {
        VERDICTS.iter().find(|(_, known)| *known == name).map(|(verdict, _)| *verdict)
    }

    pub fn name(self) -> &'static str {
        VERDICTS[self as usize].1
    }
}

pub struct Submission {
    pub team: usize,
    pub problem: usize,
    pub verdict: Verdict,
    pub time: u32,
    pub hidden: bool,
}

/// Submissions are known by their index, which is one less than their number.
pub type Submissions = Vec<Submission>;

#[derive(Default)]
pub struct Cell {
    pub made: Vec<usize>,
    pub solution: Option<usize>,
    pub attempts: u32,
    pub hidden: u32,
}

impl Cell {
    pub fn covered(&self) -> bool {
        self.solution.is_none() && self.hidden > 0
    }

    pub fn count(&mut self, all: &Submissions) {
        (self.solution, self.attempts, self.hidden) = (None, 0, 0);
        for &index in &self.made {
            let one = &all[index];
            if one.hidden {
                self.hidden += 1;
            } else if self.solution.is_none() {
                match one.verdict {
                    Verdict::Accepted => self.solution = Some(index),
                    Verdict::Compile => {}
                    _ => self.attempts += 1,
                }
            }
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (self.solution, self.hidden, self.attempts) {
            (Some(_), _, attempts) => write!(out, "+{attempts}"),
            (None, 0, 0) => write!(out, "."),
            (None, 0, attempts) => write!(out, "-{attempts}"),
            (None, hidden, attempts) => write!(out, "?{attempts}/{hidden}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// How many of 26 problems are not solved, so that better teams have smaller scores.
    unsolved: u32,
    pub penalty: u64,
    last: u32,
}

impl Score {
    pub fn solved(&self) -> u32 {
        26 - self.unsolved
    }
}

/// Teams are listed in the order of their keys. Names are filled up with zeros, so a key without a name comes before all
/// others of its score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub score: Score,
    name: [u8; 16],
    pub team: usize,
}

pub struct Team {
    pub name: String,
    pub cells: Vec<Cell>,
    pub score: Score,
    pub disqualified: bool,
    /// By verdict.
    pub having: [BTreeSet<usize>; 5],
}

impl Team {
    pub fn new(name: &str, problems: usize) -> Team {
        Team {
            name: name.to_string(),
            cells: (0..problems).map(|_| Cell::default()).collect(),
            score: Score { unsolved: 26, penalty: 0, last: 0 },
            disqualified: false,
            having: Default::default(),
        }
    }

    pub fn key(&self, team: usize) -> Key {
        let mut name = [0; 16];
        name[..self.name.len()].copy_from_slice(self.name.as_bytes());
        Key { score: self.score, name, team }
    }

    /// A key that comes before those of all teams with the same score, and after those of better ones.
    pub fn bound(&self) -> Key {
        Key { score: self.score, name: [0; 16], team: 0 }
    }

    pub fn total(&self, all: &Submissions, penalty: u64) -> Score {
        let mut total = Score { unsolved: 26, penalty: 0, last: 0 };
        for cell in &self.cells {
            if let Some(solution) = cell.solution {
                let time = all[solution].time;
                total.unsolved -= 1;
                total.penalty += u64::from(time) + penalty * u64::from(cell.attempts);
                total.last = total.last.max(time);
            }
        }
        total
    }

    pub fn first_covered(&self) -> Option<usize> {
        self.cells.iter().position(Cell::covered)
    }
}
