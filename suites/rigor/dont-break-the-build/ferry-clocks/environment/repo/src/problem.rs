//! What is wrong with a timetable or with a question about it.

use std::fmt;

/// One line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    pub fn new(text: impl Into<String>) -> Self {
        Problem(text.into())
    }

    /// The same problem, found in a line of a file.
    pub fn in_line(self, number: usize) -> Self {
        Problem(format!("line {number}: {}", self.0))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}
