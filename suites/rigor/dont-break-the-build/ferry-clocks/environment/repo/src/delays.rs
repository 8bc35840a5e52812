//! What a late vessel does to the rest of its day.

use crate::minutes::{show_time, DAY_END};
use crate::problem::Problem;
use crate::timetable::{Sailing, Timetable};

/// The timetable with one vessel late (or early) from a time on.
///
/// The first sailing that leaves at `from` or later is moved by `by` minutes. The ones after it wait only as long as the
/// turnaround makes them; a vessel that is early stays early for the rest of the day.
pub fn delay(timetable: &Timetable, vessel: &str, from: u32, by: i32) -> Result<Timetable, Problem> {
    let mut order: Vec<usize> = (0..timetable.sailings.len())
        .filter(|i| timetable.sailings[*i].vessel == vessel && timetable.sailings[*i].departs >= from)
        .collect();
    order.sort_by_key(|i| timetable.sailings[*i].departs);
    if order.is_empty() {
        let at = show_time(from);
        return Err(Problem::new(format!("{vessel} has no sailing at {at} or later")));
    }
    let mut moved = timetable.clone();
    let mut by = by;
    let mut ready: Option<u32> = None;
    for i in order {
        let sailing = &timetable.sailings[i];
        if let (Some(ready), true) = (ready, by >= 0) {
            by = (ready as i32 - sailing.departs as i32).max(0);
        }
        if by == 0 && ready.is_some() {
            break;
        }
        moved.sailings[i] = shifted(sailing, by)?;
        ready = Some(moved.sailings[i].arrives + timetable.turnaround as u32);
    }
    Ok(moved)
}

fn shifted(sailing: &Sailing, by: i32) -> Result<Sailing, Problem> {
    let departs = sailing.departs as i32 + by;
    let arrives = sailing.arrives as i32 + by;
    if departs < 0 || arrives >= DAY_END as i32 {
        let at = show_time(sailing.departs);
        return Err(Problem::new(format!(
            "{} {at}: leaves the service day",
            sailing.vessel
        )));
    }
    Ok(Sailing {
        departs: departs as u32,
        arrives: arrives as u32,
        ..sailing.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::read;

    fn departures(text: &str, from: u32, by: i32) -> Vec<u32> {
        let moved = delay(&read(text).unwrap(), "Tern", from, by).unwrap();
        moved.sailings.iter().map(|s| s.departs).collect()
    }

    const DAY: &str = "turnaround 10\nvessel Tern\nBrae 06:00 Holm 06:30\nHolm 06:45 Brae 07:15\nBrae 08:00 Holm 08:30\n";

    #[test]
    fn a_stay_takes_up_what_it_can_of_a_delay() {
        assert_eq!(departures(DAY, 0, 20), [380, 420, 480]);
        assert_eq!(departures(DAY, 400, 20), [360, 425, 480]);
    }

    #[test]
    fn an_early_vessel_stays_early() {
        assert_eq!(departures(DAY, 400, -5), [360, 400, 475]);
    }
}
