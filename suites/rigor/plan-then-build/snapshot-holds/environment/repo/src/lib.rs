//! Decides which snapshots of a backup are kept.

pub mod catalogue;
pub mod date;
pub mod error;
pub mod plan;
pub mod report;
pub mod rules;
