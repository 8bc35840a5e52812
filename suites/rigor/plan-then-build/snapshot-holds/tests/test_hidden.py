# rigorbench-canary dbe818b1-f65a-439e-937f-e5d79fe346f1
"""Hidden tests: holds, through the program alone."""

import os
import subprocess
from pathlib import Path

import pytest

CELLAR = """\
# cellar
2025-06-20T23:50 full 900
2025-06-21T01:15 quick 40
2025-06-22T01:15 quick 41

2025-06-23T01:15 quick 42
# moved house
2025-06-23T13:00 quick 43
2025-06-30T23:50 full 950
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    target = tmp_path_factory.mktemp("target")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_NET_OFFLINE": "true"}
    done = subprocess.run(
        ["cargo", "build", "--offline", "--quiet"], cwd=Path.cwd(), env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return target / "debug" / "thinout"


@pytest.fixture
def thinout(program, tmp_path):
    class Thinout:
        file = tmp_path / "cellar.cat"

        def write(self, text=CELLAR):
            self.file.write_bytes(text.encode())
            return self

        def run(self, *words, status=0):
            done = subprocess.run([program, *words], capture_output=True, text=True, timeout=20)
            assert done.returncode == status, (words, done.stdout, done.stderr)
            return done.stdout if status == 0 else done.stderr

        def __call__(self, command, *words, status=0):
            return self.run(command, str(self.file), *words, status=status)

        def kept(self, rules, *words):
            """Moment -> why, of the snapshots that a plan keeps."""
            lines = self("plan", "--keep", rules, *words).splitlines()[:-1]
            assert len(lines) == 6
            return {line.split()[0]: line.partition("keep (")[2].rstrip(")") for line in lines if "keep (" in line}

        @property
        def text(self):
            return self.file.read_bytes().decode()

    return Thinout().write()


def held(thinout, *holds):
    text = CELLAR
    for when, until in holds:
        (line,) = [line for line in text.splitlines() if line.startswith(when)]
        text = text.replace(line, f"{line} hold:{until}")
    thinout.write(text)
    return text


# -- the file ---------------------------------------------------------------------------------------------------------


def test_a_hold_stays_in_a_file_that_is_written(thinout):
    text = held(thinout, ("2025-06-20", "2026-02-28"))
    thinout("prune", "--keep", "last 1", "--today", "2025-07-01")
    gone = ("2025-06-21T01:15", "2025-06-22T01:15", "2025-06-23T01:15")
    left = [line for line in text.splitlines(keepends=True) if not line.startswith(gone)]
    assert thinout.text == "".join(left)


def test_another_fourth_word_is_refused(thinout):
    for word in ("2025-07-31", "held:2025-07-31", "hold:2025-02-30", "hold:", "hold:2025-07-31T10:00", "hold:soon"):
        thinout.write(CELLAR.replace("quick 41", f"quick 41 {word}"))
        assert "line 4" in thinout("list", status=1)
    thinout.write(CELLAR.replace("quick 41", "quick 41 hold:2025-07-31 more"))
    assert "line 4" in thinout("list", status=1)


# -- what is kept -----------------------------------------------------------------------------------------------------


def test_a_held_snapshot_is_kept_and_the_hold_is_its_only_reason(thinout):
    held(thinout, ("2025-06-21T01:15", "2025-07-31"), ("2025-06-23T13:00", "2025-08-15"))
    found = thinout.kept("last 1, daily 1, weekly 9", "--today", "2025-07-01")
    assert found["2025-06-21T01:15"] == "held until 2025-07-31"
    assert found["2025-06-23T13:00"] == "held until 2025-08-15"


def test_the_rules_choose_among_the_others(thinout):
    held(thinout, ("2025-06-23T13:00", "2025-07-31"), ("2025-06-30", "2025-07-31"))
    day = ("--today", "2025-07-01")
    every = {"2025-06-23T13:00", "2025-06-30T23:50"}
    assert set(thinout.kept("last 1", *day)) == every | {"2025-06-23T01:15", "2025-06-20T23:50"}
    assert set(thinout.kept("last 2", *day)) == every | {"2025-06-22T01:15", "2025-06-23T01:15", "2025-06-20T23:50"}
    # Of the 23rd the earlier one is the newest that is not held; so it is for its week.
    assert set(thinout.kept("daily 1", *day)) == every | {"2025-06-23T01:15", "2025-06-20T23:50"}
    assert set(thinout.kept("weekly 2", *day)) == every | {"2025-06-22T01:15", "2025-06-23T01:15", "2025-06-20T23:50"}


def test_a_series_of_which_all_are_held_keeps_them(thinout):
    held(thinout, ("2025-06-20", "2025-07-31"), ("2025-06-30", "2025-07-31"))
    found = set(thinout.kept("last 1", "--today", "2025-07-01"))
    assert found == {"2025-06-20T23:50", "2025-06-30T23:50", "2025-06-23T13:00"}


# -- how long ---------------------------------------------------------------------------------------------------------


def test_a_hold_lasts_to_the_end_of_its_day(thinout):
    held(thinout, ("2025-06-21T01:15", "2025-12-31"))
    for day, kept in (("2025-12-30", True), ("2025-12-31", True), ("2026-01-01", False), ("2027-01-01", False)):
        assert ("2025-06-21T01:15" in thinout.kept("last 1", "--today", day)) is kept, day


def test_without_a_day_no_hold_has_run_out(thinout):
    held(thinout, ("2025-06-21T01:15", "2001-01-01"))
    assert "2025-06-21T01:15" in thinout.kept("last 1")
    thinout("prune", "--keep", "last 1")
    assert "2025-06-21T01:15" in thinout.text


def test_a_hold_that_has_run_out_counts_for_nothing(thinout):
    held(thinout, ("2025-06-23T13:00", "2025-06-30"))
    found = thinout.kept("last 1", "--today", "2025-07-01")
    assert found == {"2025-06-23T13:00": "last", "2025-06-30T23:50": "last"}
    thinout("plan", "--keep", "last 1", "--today", "tomorrow", status=2)
    thinout("plan", "--keep", "last 1", "--today", status=2)


# -- the commands -----------------------------------------------------------------------------------------------------


def test_hold_and_release_change_one_line(thinout):
    said = thinout("hold", "2025-06-22T01:15", "2025-09-30")
    assert thinout.text == CELLAR.replace("quick 41", "quick 41 hold:2025-09-30")
    assert said in thinout("list").splitlines(keepends=True)
    thinout("hold", "2025-06-22T01:15", "2025-10-31")
    assert thinout.text == CELLAR.replace("quick 41", "quick 41 hold:2025-10-31")
    said = thinout("release", "2025-06-22T01:15")
    assert thinout.text == CELLAR
    assert said in thinout("list").splitlines(keepends=True)
    assert "2025-06-22T01:15" in said


def test_what_does_not_change_stays_byte_for_byte(thinout):
    thinout("hold", "2025-06-22T01:15", "2025-09-30")
    assert thinout.text == CELLAR.replace("quick 41", "quick 41 hold:2025-09-30")
    odd = CELLAR.replace("quick 41", "  quick   41").rstrip("\n")
    thinout.write(odd)
    thinout("release", "2025-06-23T13:00")
    assert thinout.text == odd
    odd = CELLAR.replace("quick 41", "  quick   41\thold:2025-09-30").rstrip("\n")
    thinout.write(odd)
    thinout("hold", "2025-06-22T01:15", "2025-09-30")
    assert thinout.text == odd


def test_a_moment_without_a_snapshot_is_an_error_about_the_file(thinout):
    for words in (("hold", "2025-06-22T01:16", "2025-09-30"), ("release", "2024-06-22T01:15")):
        assert "cellar.cat" in thinout(*words, status=1)
    thinout("hold", "2025-06-22", "2025-09-30", status=2)
    thinout("hold", "2025-06-22T01:15", "2025-09-31", status=2)
    assert thinout.text == CELLAR


# -- what is printed --------------------------------------------------------------------------------------------------


def test_the_list_names_holds_whatever_day_it_is(thinout):
    before = thinout("list").splitlines()
    held(thinout, ("2025-06-21T01:15", "1999-07-31"))
    after = thinout("list").splitlines()
    assert after[1] == f"{before[1]}  held until 1999-07-31"
    assert [*after[:1], *after[2:]] == [*before[:1], *before[2:]]


def test_the_summary_counts_what_is_held(thinout):
    held(thinout, ("2025-06-21T01:15", "2025-07-31"), ("2025-06-22T01:15", "2025-06-30"))
    for words in (("plan", "--keep", "last 1"), ("prune", "--keep", "last 1")):
        said = thinout(*words, "--today", "2025-07-01").splitlines()[-1]
        assert said == "3 kept (1 held), 3 dropped, 983 MB freed"
    thinout.write()
    assert thinout("plan", "--keep", "last 1").splitlines()[-1] == "2 kept, 4 dropped, 1023 MB freed"


CALLER = """\
use std::path::Path;
use thinout::catalogue::Catalogue;
use thinout::{date, plan, report, rules};

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mut catalogue = Catalogue::load(Path::new(&path)).unwrap();
    let parsed: Catalogue = Catalogue::parse(&catalogue.text()).unwrap();
    assert_eq!(parsed, catalogue);
    let kept: Vec<rules::Rule> = rules::parse("last 2, daily 1").unwrap();
    let verdicts: Vec<plan::Verdict> = plan::plan(&catalogue, &kept);
    let gone: Vec<date::Moment> = plan::dropped(&verdicts);
    catalogue.remove(&gone);
    catalogue.save(Path::new(&path)).unwrap();
    let left: Vec<String> = catalogue.snapshots().map(|s| format!("{} {} {}", s.taken, s.series, s.size)).collect();
    print!("{}{}{}", report::list(&catalogue), report::plan(&verdicts), report::summary(&verdicts));
    println!("{}", left.join("; "));
}
"""
CALLED = """\
2025-06-20T23:50  full           900 MB
2025-06-23T01:15  quick           42 MB
2025-06-23T13:00  quick           43 MB
2025-06-30T23:50  full           950 MB
4 snapshots, 1935 MB
"""


def test_a_program_that_calls_the_library_still_builds(thinout, tmp_path):
    caller = tmp_path / "caller"
    (caller / "src").mkdir(parents=True)
    (caller / "src" / "main.rs").write_text(CALLER)
    (caller / "Cargo.toml").write_text(
        '[package]\nname = "caller"\nversion = "0.1.0"\nedition = "2021"\n\n'
        f'[dependencies]\nthinout = {{ path = "{Path.cwd()}" }}\n'
    )
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target"), "CARGO_NET_OFFLINE": "true"}
    built = ["cargo", "build", "--offline", "--quiet"]
    done = subprocess.run(built, cwd=caller, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    thinout.write()
    done = subprocess.run([tmp_path / "target" / "debug" / "caller", thinout.file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(CALLED)
    assert done.stdout.endswith(
        "4 kept, 2 dropped, 81 MB freed\n2025-06-20T23:50 full 900; 2025-06-23T01:15 quick 42; "
        "2025-06-23T13:00 quick 43; 2025-06-30T23:50 full 950\n"
    )


def test_the_commands_and_the_fourth_word_are_described():
    texts = [path.read_text(encoding="utf-8") for path in (Path("README.md"), *sorted(Path("docs").glob("*.md")))]
    assert all(any(word in text for text in texts) for word in ("release", "--today", "hold:"))
