//! Times and durations as text. Both are whole minutes; times count from the midnight that starts the service day.

use crate::problem::Problem;

/// The end of the service day: no time is as late as this.
pub const DAY_END: u32 = 28 * 60;

/// A time such as `07:05` or `24:40`.
pub fn parse_time(text: &str) -> Result<u32, Problem> {
    let wrong = || Problem::new(format!("{text}: expected a time such as 07:05"));
    let (hours, minutes) = text.split_once(':').ok_or_else(wrong)?;
    if hours.len() != 2 || minutes.len() != 2 {
        return Err(wrong());
    }
    let hours = digits(hours).ok_or_else(wrong)?;
    let minutes = digits(minutes).ok_or_else(wrong)?;
    if minutes > 59 {
        return Err(wrong());
    }
    let time = hours * 60 + minutes;
    if time >= DAY_END {
        return Err(Problem::new(format!("{text}: not within the service day")));
    }
    Ok(time)
}

pub fn show_time(time: u32) -> String {
    format!("{:02}:{:02}", time / 60, time % 60)
}

/// A duration such as `25`, `1h20` or `-5`.
pub fn parse_span(text: &str) -> Result<i32, Problem> {
    let wrong = || Problem::new(format!("{text}: expected a duration such as 25 or 1h20"));
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let minutes = match rest.split_once('h') {
        Some((hours, minutes)) if minutes.len() == 2 => {
            let minutes = digits(minutes).filter(|m| *m < 60).ok_or_else(wrong)?;
            digits(hours).ok_or_else(wrong)? * 60 + minutes
        }
        Some(_) => return Err(wrong()),
        None => digits(rest).ok_or_else(wrong)?,
    };
    Ok(sign * minutes as i32)
}

pub fn show_span(minutes: i32) -> String {
    let sign = if minutes < 0 { "-" } else { "" };
    let minutes = minutes.abs();
    if minutes < 60 {
        format!("{sign}{minutes} min")
    } else {
        format!("{sign}{} h {:02}", minutes / 60, minutes % 60)
    }
}

/// A number of at most four digits.
fn digits(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_to_the_end_of_the_service_day() {
        assert_eq!(parse_time("00:00"), Ok(0));
        assert_eq!(parse_time("27:59").map(show_time), Ok("27:59".to_string()));
        assert!(parse_time("28:00").is_err());
    }

    #[test]
    fn durations_have_a_sign() {
        assert_eq!(parse_span("-1h20"), Ok(-80));
        assert_eq!(show_span(-80), "-1 h 20");
        assert_eq!(show_span(-5), "-5 min");
    }
}
