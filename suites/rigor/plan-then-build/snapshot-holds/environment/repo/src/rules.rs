//! The rules of keeping, as they are given on the command line.

use std::fmt;

use crate::error::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Last(usize),
    Daily(usize),
    Weekly(usize),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Last(_) => "last",
            Rule::Daily(_) => "daily",
            Rule::Weekly(_) => "weekly",
        })
    }
}

/// Rules from a text such as `last 2, daily 7`.
pub fn parse(text: &str) -> Result<Vec<Rule>, Error> {
    text.split(',').map(parse_rule).collect()
}

fn parse_rule(text: &str) -> Result<Rule, Error> {
    let wrong = || Error::Usage(format!("no rule: {:?}; expected last N, daily N or weekly N", text.trim()));
    let (name, number) = text.trim().split_once(' ').ok_or_else(wrong)?;
    let number: usize = number.trim().parse().map_err(|_| wrong())?;
    match name {
        "last" => Ok(Rule::Last(number)),
        "daily" => Ok(Rule::Daily(number)),
        "weekly" => Ok(Rule::Weekly(number)),
        _ => Err(wrong()),
    }
}
