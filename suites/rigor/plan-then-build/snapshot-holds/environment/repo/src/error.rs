//! What can go wrong, in one line.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The program was called wrongly.
    Usage(String),
    /// A file, or a line of one, cannot be used.
    Data(String),
}

impl Error {
    pub fn status(&self) -> i32 {
        match self {
            Error::Usage(_) => 2,
            Error::Data(_) => 1,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text) | Error::Data(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
