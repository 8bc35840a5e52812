//! Timetables from text; docs/timetables.md describes it.

use crate::minutes::{parse_span, parse_time, DAY_END};
use crate::problem::Problem;
use crate::timetable::{Sailing, Timetable};

pub fn read(text: &str) -> Result<Timetable, Problem> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().collect();
        reader.line(&words).map_err(|p| p.in_line(number + 1))?;
    }
    Ok(reader.timetable)
}

#[derive(Default)]
struct Reader {
    timetable: Timetable,
    vessel: Option<String>,
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Result<(), Problem> {
        match words {
            [] => {}
            ["turnaround", span] => self.timetable.turnaround = positive(span)?,
            ["transfer", harbour, span] => {
                let minutes = positive(span)?;
                self.timetable.transfers.insert(harbour.to_string(), minutes);
            }
            ["vessel", name] => self.vessel = Some(name.to_string()),
            ["every", span, "until", time] => self.repeat(positive(span)?, parse_time(time)?)?,
            [from, departs, to, arrives] => self.sailing(from, departs, to, arrives)?,
            _ => return Err(Problem::new(format!("not understood: {}", words.join(" ")))),
        }
        Ok(())
    }

    fn sailing(&mut self, from: &str, departs: &str, to: &str, arrives: &str) -> Result<(), Problem> {
        let vessel = self.vessel.clone();
        let vessel = vessel.ok_or_else(|| Problem::new("a sailing before the first vessel"))?;
        let (departs, arrives) = (parse_time(departs)?, parse_time(arrives)?);
        if arrives <= departs {
            return Err(Problem::new("a sailing arrives after it departs"));
        }
        self.timetable.sailings.push(Sailing {
            vessel,
            from: from.to_string(),
            to: to.to_string(),
            departs,
            arrives,
        });
        Ok(())
    }

    /// The last sailing again, every so many minutes, as long as it leaves by `until`.
    fn repeat(&mut self, every: i32, until: u32) -> Result<(), Problem> {
        let nothing = || Problem::new("nothing to repeat");
        let last = self.timetable.sailings.last().cloned().ok_or_else(nothing)?;
        if every == 0 {
            return Err(Problem::new("cannot repeat every 0 minutes"));
        }
        let every = every as u32;
        let mut departs = last.departs + every;
        while departs <= until {
            let arrives = departs + last.crossing() as u32;
            if arrives >= DAY_END {
                return Err(Problem::new("a repeated sailing leaves the service day"));
            }
            self.timetable.sailings.push(Sailing {
                departs,
                arrives,
                ..last.clone()
            });
            departs += every;
        }
        Ok(())
    }
}

fn positive(text: &str) -> Result<i32, Problem> {
    let span = parse_span(text)?;
    if span < 0 {
        return Err(Problem::new(format!("{text}: expected a duration that is not negative")));
    }
    Ok(span)
}
