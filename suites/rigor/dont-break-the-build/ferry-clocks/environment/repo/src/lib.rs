//! Answers questions about a ferry timetable.

pub mod board;
pub mod cli;
pub mod delays;
pub mod gaps;
pub mod journey;
pub mod minutes;
pub mod problem;
pub mod reader;
pub mod roster;
pub mod timetable;
pub mod writer;
