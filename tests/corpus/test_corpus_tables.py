"""What the tables of a corpus hold, what is scored again and what is not, and that nothing stands in them twice."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from corpora_of_samples import DATA, NOT_A_LOG, SAMPLES, corpus, in_order, parts, run, score, serial, table

from rigorbench import read
from rigorbench import score as score_one
from rigorbench.base.processes import in_processes
from rigorbench.bench.corpus import scoring, tables
from rigorbench.bench.corpus.identity import digest
from rigorbench.bench.corpus.schema import FAILURES, SCORES, column
from rigorbench.bench.corpus.scoring import CorpusOptions, LogOutcome
from rigorbench.bench.corpus.tables import CorpusError
from rigorbench.evidence import events as ev
from rigorbench.review.review import GRADES


@pytest.fixture
def processes() -> None:
    """For tests of the processes themselves."""


@pytest.fixture(autouse=True)
def without_processes(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "processes" not in request.fixturenames:
        monkeypatch.setattr(run, "in_processes", serial)


def test_columns_say_what_the_score_says(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 2)
    summary = score(logs, tmp_path / "out")
    assert (summary.logs, summary.scored, summary.trajectories, summary.failed) == (2, 2, 2, 0)
    rows = table(tmp_path / "out")
    assert [list(r) for r in rows] == [list(SCORES)] * 2
    for row, path in zip(rows, sorted(logs.iterdir()), strict=True):
        [trajectory] = read(path)
        report = score_one(trajectory)
        found, review = report.score, report.review
        assert (row["source"], row["session"], row["files"]) == (str(path), 0, [])
        assert (row["size"], row["mtime_ns"]) == (path.stat().st_size, path.stat().st_mtime_ns)
        assert row["digest"] == subprocess.check_output(["sha256sum", path], text=True).split()[0]
        assert (row["id"], row["steps"]) == (trajectory.id, found.trajectory.steps)
        assert row["rigor_score"] is None  # it means something only with a task
        assert row["overall"] == review.overall
        assert {g: (row[g], row[f"{g}_status"]) for g in GRADES} == {
            name: (grade.value, grade.status) for name, grade in review.grades.items()
        }
        fired = [c for c in review.checks if c.severity in ("flag", "weak")]
        assert row["checks"] == list(dict.fromkeys(c.id for c in review.checks))
        assert row["flags"] == list(dict.fromkeys(c.id for c in fired if c.severity == "flag"))
        assert row["weak"] == sum(c.severity == "weak" for c in fired)
        assert row["work_size"] == review.size
        assert row["tool_calls"] == sum(len(step.calls) for step in trajectory.steps)
        kinds = Counter(type(e) for e in report.events)
        assert (row["test_runs"], row["edits"]) == (kinds[ev.TestRunEvent], kinds[ev.EditEvent])
        assert row["complete"] == trajectory.complete
        assert row["duration"] == pytest.approx(trajectory.ended_at - trajectory.started_at, abs=0.002)
        assert (
            row["started_at"].isoformat(timespec="milliseconds").replace("+00:00", "Z") == found.trajectory.started_at
        )
        for name, pillar in found.pillars.items():
            place = column(name)
            stored = row[place], row[f"{place}_status"], row[f"{place}_share"]
            assert stored == (pillar.value, pillar.status, pillar.evidence_share)
            for key, sub in pillar.submetrics.items():
                for member in ("value", "status", "method", "n", "reason", "evidence", "readers"):
                    suffix = "" if member == "value" else f"_{member}"
                    assert row[column(name, key) + suffix] == getattr(sub, member)
        assert row["ext_honesty"] == found.extended["honesty"].value


def test_names_of_columns() -> None:
    assert column("RE", "f(RAC)") == "re_f_rac"
    assert column("RE", "1-TWR") == "re_1_twr"
    assert column("VC", "dC") == "vc_dc"
    assert len(set(SCORES)) == len(SCORES)
    assert all(name.isidentifier() and name == name.lower() for name in (*SCORES, *FAILURES))


def test_duckdb_reads_them(tmp_path: Path) -> None:
    score(corpus(tmp_path / "logs", 6), tmp_path / "out", part=2)
    query = f"select agent, count(*), avg(overall), any_value(pf_pac) from '{tmp_path}/out/scores/*.parquet' group by 1"
    assert len(duckdb.sql(query).fetchall()) == 2
    about = json.loads(pq.read_schema(tmp_path / "out/scores/part-000001.parquet").metadata[b"rigor-corpus"])
    assert about["schema"] == "rigor-corpus/5"


@pytest.mark.usefixtures("processes")
def test_any_number_of_processes_gives_the_same_files(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 9)
    (logs / "004-damaged.jsonl").write_text(NOT_A_LOG)
    paths = [str(p) for p in sorted(logs.iterdir())]
    for jobs in (1, 2):
        summary = score(paths, tmp_path / f"out{jobs}", jobs=jobs, part=3)
        assert (summary.scored, summary.failed) == (9, 1)
    assert parts(tmp_path / "out1") == parts(tmp_path / "out2")
    assert [r["source"] for r in table(tmp_path / "out1")] == [p for p in paths if "damaged" not in p]


def test_a_second_run_scores_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = corpus(tmp_path / "logs", 5)
    score(logs, tmp_path / "out", part=2)
    before = parts(tmp_path / "out")
    monkeypatch.setattr(scoring, "digest", None)  # nor does it read what has the same size and time
    summary = score(logs, tmp_path / "out", part=2)
    assert (summary.logs, summary.skipped, summary.scored) == (5, 5, 0)
    assert parts(tmp_path / "out") == before


def test_other_logs_join_the_table(tmp_path: Path) -> None:
    one, two = corpus(tmp_path / "one", 2), corpus(tmp_path / "two", 3)
    score(one, tmp_path / "out")
    assert score([str(one), str(two)], tmp_path / "out").skipped == 2
    assert [r["source"] for r in table(tmp_path / "out")] == [str(p) for d in (one, two) for p in sorted(d.iterdir())]


def test_a_damaged_log_in_the_middle_fails_alone_and_is_not_tried_again(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 4)
    damaged = logs / "001b.jsonl"
    damaged.write_text(NOT_A_LOG)
    paths = [str(p) for p in sorted(logs.iterdir())]
    said: list[str] = []
    summary = score(paths, tmp_path / "out", on_failure=said.append)
    assert (summary.scored, summary.failed) == (4, 1)
    [row] = table(tmp_path / "out", "failures")
    assert said == [row["reason"]]
    assert row["reason"].startswith(f"{damaged}:1: is not a known agent log")
    assert (row["source"], row["digest"], row["lasting"]) == (str(damaged), digest(damaged), True)
    again = score(paths, tmp_path / "out")
    assert (again.failed, again.known_failures, again.skipped) == (0, 1, 5)
    damaged.write_bytes(SAMPLES[0].read_bytes())  # somebody repaired it
    assert score(paths, tmp_path / "out").scored == 1
    assert table(tmp_path / "out", "failures") == []
    assert [r["source"] for r in in_order(tmp_path / "out")] == paths


def test_what_is_not_there_fails_until_it_is(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 1)
    paths = [str(logs), str(tmp_path / "later.jsonl")]
    assert score(paths, tmp_path / "out").failed == 1
    assert score(paths, tmp_path / "out").failed == 1
    [row] = table(tmp_path / "out", "failures")
    assert (row["digest"], row["lasting"]) == (None, False)
    (tmp_path / "later.jsonl").write_bytes(SAMPLES[0].read_bytes())
    assert score(paths, tmp_path / "out").scored == 1
    assert len(in_order(tmp_path / "out")) == 2


def test_the_same_content_under_two_paths_is_two_rows_of_one_digest(tmp_path: Path) -> None:
    score(corpus(tmp_path / "logs", 4), tmp_path / "out")
    rows = table(tmp_path / "out")
    assert len({r["source"] for r in rows}) == 4
    assert rows[0]["digest"] == rows[3]["digest"] != rows[1]["digest"]


def test_a_log_that_grew_is_scored_again_and_stands_there_once(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 4)
    path = logs / "001-session.jsonl"
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:8]))
    score(logs, tmp_path / "out", part=2)
    path.write_bytes(b"".join(whole))
    summary = score(logs, tmp_path / "out", part=2)
    assert (summary.skipped, summary.scored) == (3, 1)
    score(logs, tmp_path / "undisturbed")
    assert in_order(tmp_path / "out") == in_order(tmp_path / "undisturbed")


def test_a_log_that_grows_while_it_is_read_is_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rigorbench.session import registry as readers

    logs = corpus(tmp_path / "logs", 2)
    path = sorted(logs.iterdir())[0]
    line = path.read_bytes().splitlines()[-1]
    original = readers.read_log

    def growing(log):
        found = original(log)
        if log.path == path:
            with path.open("ab") as file:
                file.write(line + b"\n")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(readers, "read_log", growing)
        score(logs, tmp_path / "out")
    assert [r["digest"] is None for r in table(tmp_path / "out")] == [True, False]
    assert score(logs, tmp_path / "out").scored == 1
    assert [r["digest"] for r in in_order(tmp_path / "out")] == [digest(p) for p in sorted(logs.iterdir())]


def test_a_log_that_was_only_touched_is_left_alone(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 2)
    score(logs, tmp_path / "out")
    before = parts(tmp_path / "out")
    for path in logs.iterdir():
        os.utime(path, (1, 1))
    assert score(logs, tmp_path / "out").skipped == 2
    assert parts(tmp_path / "out") == before


def test_a_log_of_several_files_is_known_by_all_of_them(tmp_path: Path) -> None:
    """A session of Claude Code with a sub-agent in a file beside it."""
    logs = tmp_path / "logs"
    logs.mkdir()
    lines = [
        {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Fix a.py"}},
        {
            "type": "assistant",
            "uuid": "u2",
            "message": {
                "id": "m1",
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "Do it"}}],
            },
        },
    ]
    child = [{"type": "user", "uuid": "c1", "message": {"role": "user", "content": "Do it"}}]
    for name, rows, side in (("aaaa", lines, False), ("agent-x1", child, True)):
        text = "".join(
            json.dumps({"sessionId": "aaaa", "isSidechain": side, "agentId": "x1", **r}) + "\n" for r in rows
        )
        (logs / f"{name}.jsonl").write_text(text)
    score(logs, tmp_path / "out")
    [row] = table(tmp_path / "out")
    assert row["files"] == ["agent-x1.jsonl"]
    assert row["size"] == sum(p.stat().st_size for p in logs.iterdir())
    assert score(logs, tmp_path / "out").skipped == 1
    with (logs / "agent-x1.jsonl").open("a") as file:
        file.write(text)
    assert score(logs, tmp_path / "out").scored == 1
    (logs / "agent-x1.jsonl").unlink()
    assert score(logs, tmp_path / "out").scored == 1
    assert [r["files"] for r in table(tmp_path / "out")] == [[]]


def test_other_options_score_everything_again_and_leave_nothing_twice(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 5)
    score(logs, tmp_path / "out", part=2)
    task = tmp_path / "task.toml"
    task.write_text('id = "slots"\n[[requirements]]\nid = "R1"\ntext = "durations are parsed"\n')
    summary = score(logs, tmp_path / "out", CorpusOptions(task=str(task)), part=2)
    assert (summary.scored, summary.skipped) == (5, 0)
    rows = table(tmp_path / "out")
    assert [r["task"] for r in rows] == ["slots"] * 5
    assert len({r["source"] for r in rows}) == 5
    task.write_text(task.read_text().replace("R1", "R2"))  # the same file, with other words in it
    assert score(logs, tmp_path / "out", CorpusOptions(task=str(task)), part=2).scored == 5


def test_another_version_scores_everything_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = corpus(tmp_path / "logs", 3)
    score(logs, tmp_path / "out")
    monkeypatch.setattr(tables, "__version__", "99")
    assert score(logs, tmp_path / "out").scored == 3


# -- stopped at any moment -----------------------------------------------------------------------------------------


class Killed(BaseException):
    """Nothing of ours catches it, and nothing is written after it."""


def test_killed_at_any_write_it_goes_on_to_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every call that changes the directory: before it happens, and all that follow."""
    logs = corpus(tmp_path / "logs", 6)
    (logs / "002b.jsonl").write_text(NOT_A_LOG)
    paths = [str(p) for p in sorted(logs.iterdir())]

    def prepare(out: Path) -> None:
        """A table in which two logs of different parts have changed since."""
        for when, sample in ((1, SAMPLES[0]), (2, SAMPLES[1])):
            for name in ("001-session.jsonl", "004-session.jsonl"):
                (logs / name).write_bytes(sample.read_bytes())
                os.utime(logs / name, (when, when))
            if when == 1:
                score(paths, out, part=2)

    def limited(original, calls, stop):
        def call(*args, **more):
            if next(calls) >= stop:
                raise Killed
            return original(*args, **more)

        return call

    expected = None
    replace, unlink = os.replace, Path.unlink
    for stop in count():
        out = tmp_path / f"out{stop}"
        prepare(out)
        calls = count()
        with monkeypatch.context() as patch:
            patch.setattr(tables.os, "replace", limited(replace, calls, stop))
            patch.setattr(tables.Path, "unlink", limited(unlink, calls, stop))
            try:
                score(paths, out, part=1)
                finished = True
            except Killed:
                finished = False
        sources = [(r["source"], r.get("session")) for r in in_order(out)]
        assert len(set(sources)) == len(sources), stop
        score(paths, out, part=2)
        assert list(out.glob("*/.*.tmp")) == []
        if expected is None:
            score(paths, tmp_path / "fresh")
            expected = in_order(tmp_path / "fresh")
        assert in_order(out) == expected, stop
        if finished:
            break
    assert stop >= 4


def test_an_interrupt_keeps_what_was_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = corpus(tmp_path / "logs", 5)

    def interrupted(orders, work, jobs):
        for number, order in enumerate(orders):
            if number == 3:
                raise KeyboardInterrupt
            yield work(order)

    monkeypatch.setattr(run, "in_processes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        score(logs, tmp_path / "out")
    assert len(table(tmp_path / "out")) == 3


@pytest.mark.usefixtures("processes")
def test_a_log_that_kills_its_process_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = corpus(tmp_path / "logs", 5)

    class Deadly(scoring.ScoringWork, frozen=True):
        def __call__(self, order: scoring.Order) -> LogOutcome:
            if "/002-" in order.path:
                os._exit(3)
            return super().__call__(order)

    monkeypatch.setattr(run, "ScoringWork", Deadly)
    summary = score(logs, tmp_path / "out", jobs=2)
    assert (summary.scored, summary.failed) == (4, 1)
    [row] = table(tmp_path / "out", "failures")
    assert "the process that read it died (exit status 3)" in row["reason"]
    assert row["lasting"] is False
    monkeypatch.undo()
    assert score(logs, tmp_path / "out", jobs=1).scored == 1  # tried again


# -- a directory that cannot be used -------------------------------------------------------------------------------


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    held = tables.CorpusTables(tmp_path / "out", "")
    code = "from pathlib import Path; from rigorbench.bench.corpus.tables import CorpusTables as T; T(Path('out'), '')"
    command = [sys.executable, "-c", code]
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "another rigor writes to it; wait for it, or give another --out" in failed.stderr
    held.close()
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize(
    ("content", "said"), [(b"PAR1 and no more", "damaged"), (b"", "damaged"), (None, "not a table of rigor-corpus/5")]
)
def test_a_part_that_is_none(content: bytes | None, said: str, tmp_path: Path) -> None:
    score(corpus(tmp_path / "logs", 1), tmp_path / "out")
    path = tmp_path / "out" / "scores" / "part-000001.parquet"
    if content is None:
        pq.write_table(pq.read_table(path).replace_schema_metadata({}), path)
    else:
        path.write_bytes(content)
    with pytest.raises(CorpusError, match=f"part-000001.parquet: {said}") as error:
        score(tmp_path / "logs", tmp_path / "out")
    assert "delete it, and its logs are scored again" in str(error.value)
    path.unlink()
    assert score(tmp_path / "logs", tmp_path / "out").scored == 1


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tables.os, "fsync", full)
    with pytest.raises(CorpusError, match=r"part-000001\.parquet: cannot be written \(No space left on device\)"):
        score(corpus(tmp_path / "logs", 1), tmp_path / "out")


@pytest.mark.parametrize("name", ["line\nbreak.jsonl", "quote'\".jsonl", os.fsdecode(b"byte\xff.jsonl"), "größe.jsonl"])
def test_any_name_of_a_file_will_do(name: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / name).write_bytes(SAMPLES[0].read_bytes())
    score(logs, tmp_path / "out")
    [row] = table(tmp_path / "out")
    assert row["source"] == str(logs / name).encode("utf-8", "backslashreplace").decode()
    assert score(logs, tmp_path / "out").skipped == 1
    assert DATA.is_dir()


def _who(item: int) -> tuple[int, int]:
    return item, os.getpid()


@pytest.mark.usefixtures("processes")
def test_processes_make_room_for_new_ones() -> None:
    found = list(in_processes(iter(range(9)), _who, 2, None, most=2))
    assert [item for item, _ in found] == list(range(9))
    by = Counter(pid for _, pid in found)
    assert max(by.values()) == 2
    assert len(by) >= 5
