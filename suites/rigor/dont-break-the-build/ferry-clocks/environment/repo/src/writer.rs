//! Timetables as text, as `reader` reads it.

use crate::minutes::show_time;
use crate::timetable::Timetable;

pub fn write(timetable: &Timetable) -> String {
    let mut out = String::new();
    if timetable.turnaround != 0 {
        out.push_str(&format!("turnaround {}\n", timetable.turnaround));
    }
    for (harbour, minutes) in &timetable.transfers {
        out.push_str(&format!("transfer {harbour} {minutes}\n"));
    }
    for vessel in timetable.vessels() {
        out.push_str(&format!("\nvessel {vessel}\n"));
        for s in timetable.of_vessel(vessel) {
            out.push_str(&format!(
                "{} {} {} {}\n",
                s.from,
                show_time(s.departs),
                s.to,
                show_time(s.arrives)
            ));
        }
    }
    out
}
