//! Days and minutes of the calendar, without time zones.

use std::fmt;

/// A day, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

/// A minute of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    pub day: Day,
    pub minute: u32,
}

impl Day {
    /// The number of the week; weeks begin on Monday.
    pub fn week(self) -> i64 {
        // 1970-01-01 was a Thursday.
        (self.0 + 3).div_euclid(7)
    }

    pub fn parse(text: &str) -> Option<Day> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return None;
        }
        let (year, month, day) = (number(year)?, number(month)?, number(day)?);
        if !(1..=12).contains(&month) || day < 1 || day > length(year, month) {
            return None;
        }
        Some(Day(count(year, month, day)))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut year = 1970 + self.0.div_euclid(366);
        while count(year + 1, 1, 1) <= self.0 {
            year += 1;
        }
        let mut month = 1;
        while month < 12 && count(year, month + 1, 1) <= self.0 {
            month += 1;
        }
        write!(f, "{year:04}-{month:02}-{:02}", self.0 - count(year, month, 1) + 1)
    }
}

impl Moment {
    pub fn parse(text: &str) -> Option<Moment> {
        let (day, time) = text.split_once('T')?;
        let (hour, minute) = time.split_once(':')?;
        if hour.len() != 2 || minute.len() != 2 {
            return None;
        }
        let (hour, minute) = (number(hour)?, number(minute)?);
        if hour > 23 || minute > 59 {
            return None;
        }
        Some(Moment { day: Day::parse(day)?, minute: (hour * 60 + minute) as u32 })
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{:02}:{:02}", self.day, self.minute / 60, self.minute % 60)
    }
}

fn number(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date.
fn count(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let days = before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let months: i64 = (1..month).map(|m| length(year, m)).sum();
    days + months + day - 719_163
}
