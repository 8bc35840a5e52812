# rigorbench-canary d7619788-6792-436a-9a75-e76301f25c1e
"""Hidden tests: times and durations have types of their own, and nothing that is printed has changed."""

import re
import subprocess
from pathlib import Path

import pytest

# Ends at the very end of the service day, and holds what cannot be sailed.
NIGHT = """\
turnaround 15
transfer Mull 9
vessel Shag
Mull 23:10 Ulva 23:35
every 1h05 until 27:50
vessel Dunlin
Ulva 05:00 Mull 05:30
Mull 05:25 Iona 06:55
Iona 07:05 Mull 08:40
vessel Skua
Iona 26:20 Mull 27:40
Mull 27:45 Ulva 27:58
vessel Gannet
Mull 08:45 Coll 11:00
Coll 11:05 Mull 13:20
"""

RUN = """\
use slipway::time::{Clock, Span};
#[allow(unused_imports)]
use slipway::timetable::{Sailing, Timetable};

#[allow(dead_code)]
fn clock(text: &str) -> Clock {
    text.parse().unwrap()
}

#[allow(dead_code)]
fn span(minutes: i32) -> Span {
    Span::minutes(minutes)
}

fn main() {
%s
}
"""


@pytest.fixture(scope="module", autouse=True)
def built():
    done = subprocess.run(
        ["cargo", "build", "--offline", "--target-dir", "target"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def compiled(place, body, *options):
    """(status, what the compiler said) of a program that uses the library."""
    (place / "probe.rs").write_text(RUN % body)
    line = [
        "rustc",
        "--edition=2021",
        "--cap-lints=allow",
        *options,
        str(place / "probe.rs"),
    ]
    line += [
        "-L",
        "target/debug/deps",
        "--extern",
        "slipway=target/debug/libslipway.rlib",
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def told(place, body):
    """The lines that such a program prints."""
    status, said = compiled(place, body, "-o", str(place / "probe"))
    assert status == 0, said
    done = subprocess.run([str(place / "probe")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_clock_is_a_time_of_the_service_day(tmp_path):
    assert told(
        tmp_path,
        """
    println!("{} {} {}", Clock::START, clock("09:05"), clock("27:59"));
    for text in ["9:05", "09:60", "28:00", "0905", "-1:00", "ab:cd", "24:5"] {
        println!("{}", text.parse::<Clock>().unwrap_err());
    }
    for (from, by) in [("23:50", 15), ("27:50", 9), ("27:50", 10), ("00:10", -10), ("00:10", -11), ("12:00", -75)] {
        match clock(from).plus(span(by)) {
            Some(found) => println!("{found}"),
            None => println!("none"),
        }
    }
    println!("{} {}", (clock("09:05") - clock("08:50")).in_minutes(), (clock("00:30") - clock("25:00")).in_minutes());
    let mut times = vec![clock("10:00"), clock("02:00"), clock("24:10")];
    times.sort();
    let distinct: std::collections::HashSet<Clock> = times.iter().chain(&times).copied().collect();
    println!("{} {} {}", times[0], times[2], distinct.len());
""",
    ) == [
        "00:00 09:05 27:59",
        "9:05: expected a time such as 07:05",
        "09:60: expected a time such as 07:05",
        "28:00: not within the service day",
        "0905: expected a time such as 07:05",
        "-1:00: expected a time such as 07:05",
        "ab:cd: expected a time such as 07:05",
        "24:5: expected a time such as 07:05",
        "24:05",
        "27:59",
        "none",
        "00:00",
        "none",
        "10:45",
        "15 -1470",
        "02:00 24:10 3",
    ]


def test_a_span_is_a_duration(tmp_path):
    assert told(
        tmp_path,
        """
    for text in ["25", "0", "-5", "1h20", "-2h05", "0h59", "120"] {
        let found: Span = text.parse().unwrap();
        println!("{} {}", found, found.in_minutes());
    }
    for text in ["1h5", "1h60", "h20", "", "--5", "1.5", "12345"] {
        println!("{}", text.parse::<Span>().unwrap_err());
    }
    let spans = [span(50), span(-20), span(45)];
    println!("{} {} {}", spans[0] + spans[1], spans[1] - spans[2], -spans[1]);
    println!("{}", spans.iter().copied().sum::<Span>().in_minutes());
    println!("{} {}", span(-1) < span(0), spans.iter().max().unwrap());
""",
    ) == [
        "25 min 25",
        "0 min 0",
        "-5 min -5",
        "1 h 20 80",
        "-2 h 05 -125",
        "59 min 59",
        "2 h 00 120",
        "1h5: expected a duration such as 25 or 1h20",
        "1h60: expected a duration such as 25 or 1h20",
        "h20: expected a duration such as 25 or 1h20",
        ": expected a duration such as 25 or 1h20",
        "--5: expected a duration such as 25 or 1h20",
        "1.5: expected a duration such as 25 or 1h20",
        "12345: expected a duration such as 25 or 1h20",
        "30 min -1 h 05 20 min",
        "75",
        "true 50 min",
    ]


def test_a_sailing_arrives_after_it_departs(tmp_path):
    assert told(
        tmp_path,
        """
    let good = Sailing::new("Shag", "Mull", "Ulva", clock("23:10"), clock("23:35")).unwrap();
    println!("{} {} {} {}", good.vessel, good.from, good.to, good.departs() < good.arrives());
    println!("{} {} {}", good.departs(), good.arrives(), good.crossing().in_minutes());
    for (departs, arrives) in [("23:10", "23:10"), ("23:10", "23:09")] {
        println!("{}", Sailing::new("Shag", "Mull", "Ulva", clock(departs), clock(arrives)).unwrap_err());
    }
""",
    ) == [
        "Shag Mull Ulva true",
        "23:10 23:35 25",
        "a sailing arrives after it departs",
        "a sailing arrives after it departs",
    ]


def test_functions_take_and_give_times_and_durations(tmp_path):
    lines = told(
        tmp_path,
        'let mut timetable: Timetable = slipway::reader::read("{}").unwrap();'.format(NIGHT.replace("\n", "\\n"))
        + """
    let turnaround: Span = timetable.turnaround;
    let transfers: Vec<Span> = vec![timetable.transfer("Mull"), timetable.transfer("Coll")];
    println!("{turnaround} {} {}", transfers[0], transfers[1]);
    timetable.transfers.insert("Coll".to_string(), span(7));
    println!("{}", timetable.transfer("Coll"));
    let entry = &slipway::board::departures(&timetable, "Mull", clock("08:30"), Some(span(30)))[0];
    let wait: Span = entry.wait;
    println!("{} {wait}", entry.sailing.vessel);
    println!("{}", slipway::board::arrivals(&timetable, "Ulva", clock("24:00"), None).len());
    let journey = slipway::journey::earliest(&timetable, "Ulva", "Iona", clock("04:00"));
    println!("{}", journey.is_none());
    let journey = slipway::journey::earliest(&timetable, "Iona", "Ulva", clock("05:00")).unwrap();
    let (departs, arrives): (Clock, Clock) = (journey.departs(), journey.arrives());
    let (total, waits): (Span, Vec<Span>) = (journey.total(), journey.waits());
    println!("{departs} {arrives} {total} {}", waits[0]);
    let stay = &slipway::roster::stays(&timetable, "Dunlin")[0];
    let (from, until, length): (Clock, Clock, Span) = (stay.from, stay.until, stay.length());
    println!("{from} {until} {length}");
    let day = slipway::roster::day(&timetable, "Gannet").unwrap();
    let (first, last): (Clock, Clock) = (day.first, day.last);
    let (sea, harbour): (Span, Span) = (day.at_sea, day.in_harbour);
    println!("{first} {last} {sea} {harbour}");
    let gaps = slipway::gaps::gaps(&timetable, "Mull", "Ulva");
    let (begins, longest): (Clock, Span) = (gaps[0].begins, slipway::gaps::longest(&gaps).unwrap().length);
    let average: Span = slipway::gaps::average(&gaps).unwrap();
    println!("{begins} {longest} {average}");
    let moved = slipway::delays::delay(&timetable, "Gannet", clock("08:00"), span(10)).unwrap();
    println!("{}", moved.of_vessel("Gannet")[1].departs());
""",
    )
    assert lines == [
        "15 min 9 min 5 min",
        "7 min",
        "Gannet 15 min",
        "5",
        "true",
        "07:05 23:35 16 h 30 14 h 30",
        "05:30 05:25 -5 min",
        "08:45 13:20 4 h 30 5 min",
        "23:10 1 h 05 55 min",
        "11:25",
    ]


NUMBERS = {
    "number-to-clock": "let _: Clock = Clock(400);",
    "number-into-clock": "let _: Clock = 400.into();",
    "number-of-four-bytes-into-clock": "let _: Clock = 400u32.into();",
    "number-of-four-bytes-tried": "let _ = Clock::try_from(400u32);",
    "number-to-span": "let _: Span = Span(5);",
    "number-into-span": "let _: Span = 5.into();",
    "clock-below-number": 'let _ = clock("10:00") < 400;',
    "span-below-number": "let _ = span(5) < 6;",
    "clock-equals-number": 'let _ = clock("10:00") == 600;',
    "clock-plus-number": 'let _ = clock("10:00") + 5;',
    "clock-plus-clock": 'let _ = clock("10:00") + clock("10:00");',
    "clock-minus-number": 'let _ = clock("10:00") - 5;',
    "span-plus-number": "let _ = span(5) + 5;",
    "clock-as-number": 'let _: u32 = clock("10:00").into();',
    "clock-deref": 'let _: u32 = *clock("10:00");',
    "span-as-number": "let _: i32 = span(5);",
    "span-into-number": "let _: i32 = span(5).into();",
    "span-for-clock": "let _: Clock = span(5);",
    "clock-for-span": 'let _ = clock("10:00").plus(clock("00:10"));',
    "number-for-clock": 'let _ = slipway::board::departures(&Timetable::default(), "Mull", 400, None);',
    "departs-as-number": "let _ = |s: &Sailing| -> u32 { s.departs() };",
    "departs-set": 'let _ = |s: &mut Sailing| { s.departs = clock("10:00"); };',
    "arrives-set": 'let _ = |s: &mut Sailing| { s.arrives = clock("10:00"); };',
}


def test_numbers_are_neither_times_nor_durations(tmp_path):
    # Types are all that is looked at here: nothing is linked.
    options = [
        "--emit=metadata",
        "--error-format=short",
        "-o",
        str(tmp_path / "probe.rmeta"),
    ]
    status, said = compiled(tmp_path, 'let _ = (clock("10:00") - clock("09:00")) < span(5);', *options)
    assert status == 0, said
    accepted = []
    # A name that may not be used ends the compiler's work before it looks at types, so these go by themselves.
    for names in [
        ["number-to-clock"],
        ["number-to-span"],
        [n for n in NUMBERS if not n.startswith("number-to")],
    ]:
        body = "\n".join(f"    fn probe_{place}() {{ {NUMBERS[name]} }}" for place, name in enumerate(names))
        _, said = compiled(tmp_path, body, *options)
        first = RUN.partition("%s")[0].count("\n") + 1
        wrong = {int(line) for line in re.findall(r"probe\.rs:(\d+):\d+: error", said)}
        accepted += [name for place, name in enumerate(names) if first + place not in wrong]
    assert accepted == []


PRINTED = {
    "board Mull --at 23:00": """\
 23:10 Ulva      Shag         10 min
 24:15 Ulva      Shag         1 h 15
 25:20 Ulva      Shag         2 h 20
 26:25 Ulva      Shag         3 h 25
 27:30 Ulva      Shag         4 h 30
 27:45 Ulva      Skua         4 h 45
""",
    "arrivals Mull --at 05:00 --within 3h40": """\
 05:30 Ulva      Dunlin       30 min
 08:40 Iona      Dunlin       3 h 40
""",
    "board Coll --at 11:06": """\
nothing from 11:06 on
""",
    "journey Ulva Coll": """\
05:00  Ulva - Mull 05:30 (Dunlin)
       3 h 15 in Mull
08:45  Mull - Coll 11:00 (Gannet)
6 h 00 with 1 changes
""",
    "journey Iona Ulva --after 26:00": """\
26:20  Iona - Mull 27:40 (Skua)
       5 min in Mull
27:45  Mull - Ulva 27:58 (Skua)
1 h 38 with 0 changes
""",
    "journey Coll Iona --after 12:00": """\
no way from Coll to Iona after 12:00
""",
    "day Dunlin": """\
Dunlin 05:00-08:40
Mull      05:30-05:25   -5 min
Iona      06:55-07:05   10 min
at sea 3 h 35, in harbour 5 min
""",
    "day Skua": """\
Skua 26:20-27:58
Mull      27:40-27:45    5 min
at sea 1 h 33, in harbour 5 min
""",
    "gaps Mull Ulva": """\
6 sailings, 55 min apart, at most 1 h 05 from 23:10 on
""",
    "check": """\
Shag 24:15: leaves Mull but lies in Ulva
Shag 25:20: leaves Mull but lies in Ulva
Shag 26:25: leaves Mull but lies in Ulva
Shag 27:30: leaves Mull but lies in Ulva
Dunlin 05:25: 20 min too short a stay in Mull
Dunlin 07:05: 5 min too short a stay in Iona
Skua 27:45: 10 min too short a stay in Mull
Gannet 11:05: 10 min too short a stay in Coll
""",
    "delay Skua --from 27:45 --by 1": """\
turnaround 15
transfer Mull 9

vessel Shag
Mull 23:10 Ulva 23:35
Mull 24:15 Ulva 24:40
Mull 25:20 Ulva 25:45
Mull 26:25 Ulva 26:50
Mull 27:30 Ulva 27:55

vessel Dunlin
Ulva 05:00 Mull 05:30
Mull 05:25 Iona 06:55
Iona 07:05 Mull 08:40

vessel Skua
Iona 26:20 Mull 27:40
Mull 27:46 Ulva 27:59

vessel Gannet
Mull 08:45 Coll 11:00
Coll 11:05 Mull 13:20
""",
    "delay Dunlin --from 05:10 --by -20": """\
turnaround 15
transfer Mull 9

vessel Shag
Mull 23:10 Ulva 23:35
Mull 24:15 Ulva 24:40
Mull 25:20 Ulva 25:45
Mull 26:25 Ulva 26:50
Mull 27:30 Ulva 27:55

vessel Dunlin
Ulva 05:00 Mull 05:30
Mull 05:05 Iona 06:35
Iona 06:45 Mull 08:20

vessel Skua
Iona 26:20 Mull 27:40
Mull 27:45 Ulva 27:58

vessel Gannet
Mull 08:45 Coll 11:00
Coll 11:05 Mull 13:20
""",
    "show": """\
turnaround 15
transfer Mull 9

vessel Shag
Mull 23:10 Ulva 23:35
Mull 24:15 Ulva 24:40
Mull 25:20 Ulva 25:45
Mull 26:25 Ulva 26:50
Mull 27:30 Ulva 27:55

vessel Dunlin
Ulva 05:00 Mull 05:30
Mull 05:25 Iona 06:55
Iona 07:05 Mull 08:40

vessel Skua
Iona 26:20 Mull 27:40
Mull 27:45 Ulva 27:58

vessel Gannet
Mull 08:45 Coll 11:00
Coll 11:05 Mull 13:20
""",
}
COMPLAINED = {
    "delay Skua --from 26:00 --by 1": "slipway: Skua 27:45: leaves the service day",
    "delay Skua --by 30": "slipway: Skua 26:20: leaves the service day",
    "delay Dunlin --by -5h10": "slipway: Dunlin 05:00: leaves the service day",
    "delay Skua --from 27:50 --by 5": "slipway: Skua has no sailing at 27:50 or later",
    "board Mull --at 28:10": "slipway: 28:10: not within the service day",
    "board Mull --within 1h5": "slipway: 1h5: expected a duration such as 25 or 1h20",
}
REFUSED = {
    "vessel A\nX 09:00 Y 08:00\n": "line 2: a sailing arrives after it departs",
    "vessel A\nX 25:00 Y 26:30\nevery 50 until 27:59\n": "line 3: a repeated sailing leaves the service day",
    "transfer X -5\n": "line 1: -5: expected a duration that is not negative",
    "vessel A\nX 09:00 Y 10:00\nevery 0 until 12:00\n": "line 3: cannot repeat every 0 minutes",
}


def slipway(path, words):
    return subprocess.run(
        ["target/debug/slipway", str(path), *words.split()],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_commands_print_what_they_did(tmp_path):
    path = tmp_path / "night.txt"
    path.write_text(NIGHT)
    for words, expected in PRINTED.items():
        done = slipway(path, words)
        assert (words, done.stdout, done.returncode) == (words, expected, 0), done.stderr
    for words, expected in COMPLAINED.items():
        done = slipway(path, words)
        assert (words, done.stderr.strip(), done.returncode) == (words, expected, 2)
    for text, expected in REFUSED.items():
        path.write_text(text)
        assert slipway(path, "show").stderr.strip() == f"slipway: {path}: {expected}"


def test_the_table_of_the_readme_fits_what_is_there():
    readme = Path("README.md").read_text(encoding="utf-8")
    rows = [line for line in readme.splitlines() if re.match(r"\|\s*`", line)]
    named = [name for line in rows for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert "time" in named
    assert [name for name in named if not any(Path("src", n).exists() for n in (f"{name}.rs", name))] == []
