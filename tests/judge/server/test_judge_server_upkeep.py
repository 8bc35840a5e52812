"""Old submissions: their files are deleted, and they are judged again, with their old verdicts kept."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from judge_server_fakes import FakeJudge, Serve, judgement, of_run, problem
from msgspec import structs

from rigorbench.cli import main
from rigorbench.judge.server import ServerError, ServerSettings
from rigorbench.judge.server.content import Contents, take
from rigorbench.judge.server.owner import prune, records, rejudge
from rigorbench.judge.server.store import DATABASE, SubmissionStore

PACKAGE = Path(__file__).parents[1] / "packages" / "sum"
OLD = 100 * 86_400


@pytest.fixture
def data(serve: Serve, judge: FakeJudge, tmp_path: Path) -> Path:
    """Four submissions: two done long ago, one that the judge failed on today, one that is under way."""
    http = of_run(serve(problem(budget=9), settings=ServerSettings(retry_pause=0.01)))
    for text in ("wrong " + "x" * 60_000, "good " + "y" * 30_000, "error"):
        http.finished(http.submit(text)[1]["id"])
    http.submit("wait")
    judge.waiting.acquire()
    with sqlite3.connect(tmp_path / "data" / DATABASE) as db:
        db.execute("UPDATE submissions SET finished = finished - ? WHERE id < 3", (OLD,))
    return tmp_path / "data"


def remaining(data: Path) -> list[int]:
    return [r.id for r in records(SubmissionStore(data)) if any(r.submission.root.glob("*"))]


@pytest.mark.parametrize(
    ("options", "pruned"),
    [
        (["--older", "99"], [1, 2]),
        (["--older", "101"], []),
        (["--older", "0"], [1, 2, 3]),  # what is under way stays, whatever its age
        (["--keep", "0"], [1, 2, 3]),
        (["--keep", "90K"], [1]),
        (["--keep", "1G", "--older", "99"], [1, 2]),
    ],
)
def test_old_files_are_deleted_by_age_and_size(
    data: Path, options: list[str], pruned: list[int], capfd: pytest.CaptureFixture[str]
) -> None:
    for dry in (["--dry-run"], []):
        assert remaining(data) == [1, 2, 3, 4]
        assert main(["judge", "admin", "prune", str(data), *options, *dry, "--json"]) == 0
        told = json.loads(capfd.readouterr().out)
        assert [each["id"] for each in told["submissions"]] == pruned
        assert told["dry_run"] is bool(dry)
        assert told["freed_bytes"] == sum(each["bytes"] for each in told["submissions"])
    assert remaining(data) == [n for n in (1, 2, 3, 4) if n not in pruned]
    # What they cost and their verdicts stay; and nothing is deleted twice.
    found = {r.id: r for r in records(SubmissionStore(data))}
    assert (len(found), found[1].judgement and found[1].judgement.verdict) == (4, "wrong_answer")
    assert [n for n, r in found.items() if r.pruned is not None] == pruned
    assert not set(pruned) & {
        each.id for each in prune(SubmissionStore(data), Contents(data / "content"), keep=0, dry=True)[0]
    }


@pytest.mark.parametrize("options", [[], ["--keep", "much"], ["--keep", "-1"], ["--older", "-1"], ["--keep", "9999T"]])
def test_prune_refuses_what_it_does_not_understand(tmp_path: Path, options: list[str]) -> None:
    try:
        status: object = main(["judge", "admin", "prune", str(tmp_path), *options])
    except SystemExit as error:
        status = error.code
    assert status == 2


def test_a_changed_package_judges_again_and_old_verdicts_stay(serve: Serve, judge: FakeJudge, tmp_path: Path) -> None:
    server = serve(problem(budget=9), problem("other"), settings=ServerSettings(retry_pause=0.01))
    http = of_run(server)
    first, failed, gone, taken_back = (http.submit(word)[1]["id"] for word in ("wrong", "error", "good", "wait"))
    http.raw("POST", f"/api/v1/submission/{taken_back}/abort")
    elsewhere = of_run(server, run="run", name="other")
    elsewhere.finished(elsewhere.submit("good", name="other")[1]["id"])
    assert server.wait("run", 20)
    server.close()
    store = SubmissionStore(tmp_path / "data")
    assert store.prune(gone)
    # By the same package only what the judge failed on.
    assert [row.id for row in rejudge(store, {"sum": problem()}, None)] == [failed]
    changed = {"sum": structs.replace(problem(), digest="f" * 64)}
    rows = list(rejudge(store, changed, lambda package, sent, _: judgement(package, sent)))
    assert [row.id for row in rows] == [first, failed, gone]
    assert [(row.was, row.now, row.score) for row in rows] == [
        ("wrong_answer", "accepted", 100.0),
        (None, "accepted", 100.0),
        ("accepted", None, None),
    ]
    assert rows[2].reason == "its files have been deleted"
    found = {r.id: r for r in records(store)}
    assert (found[first].judgement.verdict, found[first].judgement.package) == ("accepted", "f" * 64)
    (old,) = found[first].earlier
    assert (old.state, old.judgement.verdict, old.judgement.package) == ("done", "wrong_answer", problem().digest)
    assert found[failed].state == "done"
    assert "no compiler" in (found[failed].earlier[0].error or "")
    assert (found[gone].earlier, found[taken_back].state) == ((), "aborted")
    assert [row.id for row in rejudge(store, changed, None)] == [gone]
    assert len(list(rejudge(store, changed, None, everything=True))) == 3


def test_rejudging_from_the_command_line(serve: Serve, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    server = serve(taker=take, judge=lambda package, sent, _: judgement(package, sent, "wrong"))
    http = of_run(server)
    http.finished(http.submit("print(sum(map(int, input().split())))", language="python")[1]["id"])
    words = ["judge", "admin", "rejudge", str(tmp_path / "data"), str(PACKAGE), "--json"]
    assert main(words) == 2
    assert "another server uses it" in capfd.readouterr().err
    server.close()
    assert main([*words, "--dry-run"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["submissions"]
    assert (row["was"], row["now"]) == ("wrong_answer", None)
    assert main([*words, "--run", "another"]) == 0
    assert json.loads(capfd.readouterr().out)["submissions"] == []


def test_a_directory_of_another_version_is_refused(tmp_path: Path) -> None:
    SubmissionStore(tmp_path).close()
    with sqlite3.connect(tmp_path / DATABASE) as db:
        db.execute("PRAGMA user_version = 2")
    with pytest.raises(ServerError, match="written by another version"):
        SubmissionStore(tmp_path)
