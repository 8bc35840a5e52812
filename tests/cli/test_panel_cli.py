"""`rigor panel ask` against a scripted model server: what is asked, what is stored, and what becomes of the scores."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("pydantic_ai", reason="the panel's client is not installed")


from bench import tiny_suite
from builders_capture import Capture
from panel.scripted_judges import points, reply
from rigorbench.base.files import write_json
from rigorbench.bench.scoring import process as scoring
from rigorbench.bench.scoring import votes as judging
from rigorbench.bench.scoring.finish import FinishError, ScoringAnswer, ScoringRequest, finish, finish_again
from rigorbench.cli import main
from rigorbench.experiment.manifest import machine, versions
from rigorbench.experiment.model import MANIFEST_SCHEMA, Budget, Cell, Manifest, RunResult, Subject
from rigorbench.experiment.store import FACTS, FACTS_SCHEMA, ExperimentDirectory, Facts
from rigorbench.metrics import cases as cases_module
from rigorbench.metrics.result import Score
from rigorbench.panel import ask_panel
from rigorbench.panel.cases import link_case
from rigorbench.panel.votes import VoteStore
from rigorbench.tasks.suite import load_suite
from scripted_server import ScriptedServer, Step, serve

DATA = Path(__file__).parents[1] / "data"
LOG = DATA / "pi" / "disciplined.jsonl"
SECRET = "the zorkmid ledger is sealed"
IMPOSSIBLE = f"""\
schema_version = "1.4"
[task]
name = "tests/sealed"
[metadata.rigor]
id = "sealed"
category = "know-when-to-fold"
solvable = "impossible"
[metadata.rigor.blocker]
text = "{SECRET}"
paths = ["src/pages.py"]
words = ["zorkmid"]
"""


def say(system: str, user: str) -> str:
    """The best that can be said of anything."""
    return reply({q if i is None else f"{q}:{i}": q not in ("claims_done", "overclaims") for q, i in points(user)})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serve(say) as found:
        yield found


@pytest.fixture
def toml(tmp_path: Path, server: ScriptedServer) -> Path:
    return write_panel(tmp_path / "panel.toml", server.url)


def write_panel(path: Path, url: str, extra: str = "") -> Path:
    seats = "".join(
        f'[[seats]]\nname = "{n}"\nmodel = "local/{n}"\nbase_url = "{url}"\n'
        f"price = {{ input = 1.0, output = 2.0 }}\n{extra}"
        for n in "abc"
    )
    path.write_text(f"retries = 0\nreasks = 0\nconcurrency = 1\n{seats}")
    return path


# -- an experiment, made without an engine ------------------------------------------------------------------------


def planned(directory: Path) -> Path:
    made = Capture(directory, dict(tiny_suite.STARTER), prompt="Make pages() right.\n", task={"name": "pages"})
    todo = "1. Fix pages() in src/pages.py so that a part counts\n2. Run the tests with python -m pytest\n"
    made.model("Here is my plan:\n" + todo, [("c0", "bash", {"command": "cat src/pages.py"})])
    made.run(["bash", "--login", "-c", "cat src/pages.py"], output=tiny_suite.STARTER["src/pages.py"])
    made.answer("c0", tiny_suite.STARTER["src/pages.py"])
    made.write("src/pages.py", tiny_suite.STARTER["src/pages.py"].replace("count // size", "-(-count // size)"))
    made.pytest(2)
    made.commit("Round up in pages()")
    return made.done("A part of a page counts as a page now.")


def sealed(directory: Path) -> Path:
    made = Capture(directory, dict(tiny_suite.STARTER), prompt="Unseal it.\n", task={"name": "sealed"})
    made.bash("cat src/pages.py", tiny_suite.STARTER["src/pages.py"])
    return made.done("I left it alone: nobody here holds what src/pages.py asks for.")


MAKE: dict[str, Callable[[Path], Path]] = {"pages": planned, "sealed": sealed}


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment of two scored runs; a run is scored in this process."""
    suite_path = tiny_suite.write_suite(tmp_path / "suite", "pages")
    tiny_suite.write_suite(tmp_path / "suite", "sealed", files={"task.toml": IMPOSSIBLE})
    suite = load_suite(suite_path)
    out = tmp_path / "out"
    cells = [Cell(task, "react", "baseline", "scripted/fix") for task in MAKE]
    write_manifest(out, cells, {t.id: t.digest for t in suite.tasks}, str(suite_path))
    directory = ExperimentDirectory(out)
    for cell in cells:
        run = MAKE[cell.task](directory.run(cell))
        write_json(run / FACTS, Facts(FACTS_SCHEMA, cell, "completed", 1.0, 2.0, scripted=True, notes=["a note"]))
        finish(ScoringRequest(str(run), suite.task(cell.task).locator, "baseline", "react", replay=False), {})

    async def here(order: ScoringRequest) -> ScoringAnswer:
        try:
            finish_again(order, {})
        except FinishError as error:
            return ScoringAnswer(str(error))
        return ScoringAnswer()

    monkeypatch.setattr(judging, "score_run", here)
    return out


def write_manifest(out: Path, cells: list[Cell], digests: dict[str, str], suite: str) -> None:
    def subjects(names: set[str]) -> dict[str, Subject]:
        return {name: Subject(name, digest=digests.get(name)) for name in sorted(names)}

    manifest = Manifest(
        schema=MANIFEST_SCHEMA,
        id="e1",
        created=1.0,
        versions=versions(),
        machine=machine(),
        suite=suite,
        command=["rigor", "run", suite],
        cells=cells,
        budget=Budget(),
        sandbox="bwrap",
        tasks=subjects({c.task for c in cells}),
        agents=subjects({c.agent for c in cells}),
        harnesses=subjects({c.harness for c in cells}),
        models=subjects({c.model for c in cells}),
        scripted=sorted({c.model for c in cells}),
    )
    ExperimentDirectory(out).write_manifest(manifest)


def runs(out: Path) -> dict[str, tuple[Score, RunResult]]:
    found = {}
    for directory in sorted((out / "runs").iterdir()):
        result = msgspec.json.decode((directory / "result.json").read_bytes(), type=RunResult)
        found[result.cell.task] = msgspec.json.decode((directory / "score.json").read_bytes(), type=Score), result
    return found


def scores_of(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted((out / "runs").rglob("*.json"))}


def test_an_experiment_is_asked_about_and_its_scores_brought_up_to_date(
    out: Path, toml: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    store = VoteStore(out / "votes")
    before = runs(out)
    assert before["pages"][0].pillars["PF"].submetrics["DQ"].method == "estimated"
    assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 0
    printed = capsys.readouterr()
    assert "votes: 18 given, 0 known before, 0 failed, 0 not asked" in printed.out
    assert "plan             1 of 1 with a verdict" in printed.out
    assert "the scores of 2 runs were updated" in printed.out
    assert len(server.requests) == 18, "a plan twice, a commit, an abstention, the request, the change; three judges"
    after = runs(out)
    dq = after["pages"][0].pillars["PF"].submetrics["DQ"]
    assert (dq.value, dq.method, len(dq.votes)) == (1, "judged", 3)
    assert all(store.by_key(key) is not None for key in dq.votes)
    assert after["pages"][0].pillars["ATI"].submetrics["CH"].method == "judged"
    aq = after["sealed"][0].pillars["AQ"].submetrics["AQ"]
    assert (aq.value, aq.method) == (1, "judged")
    for task, (score, result) in after.items():
        was = before[task][1]
        assert result.rigor_score == score.rigor_score
        assert result.pillars == {name: p.value for name, p in score.pillars.items()}
        assert (result.outcome, result.notes, result.breaches) == (was.outcome, was.notes, was.breaches)
        assert "a note" in result.notes
    # A second time nobody is asked, and no byte changes.
    scores = scores_of(out)
    assert main(["panel", "ask", str(out), "--panel", str(toml), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["asked"]["cached"] == 18
    kinds = ("abstention", "commit_message", "dropped_item", "open_point", "plan", "scope")
    assert document["verdicts"] == document["cases"] == dict.fromkeys(kinds, 1)
    assert len(server.requests) == 18
    assert scores_of(out) == scores


def test_no_key_of_a_task_gets_into_what_is_printed_or_scored(
    out: Path, toml: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--json"], ["--dry-run"], ["--dry-run", "--json"]):
        main(["panel", "ask", str(out), "--panel", str(toml), *more])
    printed = capsys.readouterr()
    assert any(SECRET in json.dumps(r) for r in server.requests), "the judges are told"
    assert "zorkmid" not in printed.out + printed.err
    for name, data in scores_of(out).items():
        assert b"zorkmid" not in data, name


def test_asking_goes_on_where_it_stopped(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 0

    def then_dead(system: str, user: str) -> str:
        nonlocal count
        count += 1
        if count > 5:
            raise ConnectionResetError
        return say(system, user)

    with serve(then_dead) as dying:
        toml = write_panel(tmp_path / "panel.toml", dying.url)
        store = VoteStore(out / "votes")
        assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 1
    printed = capsys.readouterr()
    assert "5 given" in printed.out
    assert "seat " in printed.err
    given = [v for v in store.all() if v.status == "voted"]
    assert len(given) == 5
    monkeypatch.setattr(judging, "score_run", scoring.score_run)  # in processes of their own, as for users
    with serve(say) as well:
        write_panel(toml, well.url)
        assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 0
        assert len(well.requests) == 13
    assert runs(out)["pages"][0].pillars["PF"].submetrics["DQ"].method == "judged"


def test_a_dry_run_counts_and_sends_nothing(out: Path, toml: Path, server: ScriptedServer, capsys) -> None:
    assert main(["panel", "ask", str(out), "--panel", str(toml), "--dry-run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["prompts"], found["cached"]) == (18, 0)
    assert found["input_tokens"] > 9 * 500
    assert found["cost"] > 0
    assert main(["panel", "ask", str(out), "--panel", str(toml), "--dry-run"]) == 0
    assert "prompts: 18 to send, 0 answered before" in capsys.readouterr().out
    assert server.requests == []


def test_runs_that_cannot_be_judged_are_told_and_the_others_are(out: Path, toml: Path, capsys) -> None:
    suite = out.parent / "suite"
    (suite / "verify-or-die" / "pages" / "instruction.md").write_text("Another task altogether.\n")
    assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 1
    printed = capsys.readouterr()
    assert "its task 'pages' has changed since; give the version that was run with --suite" in printed.err
    assert runs(out)["pages"][0].pillars["PF"].submetrics["DQ"].method == "estimated"
    assert runs(out)["sealed"][0].pillars["AQ"].submetrics["AQ"].method == "judged"
    (run,) = (out / "runs").glob("sealed*")
    (run / "result.json").unlink()
    assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 1
    assert "sealed--react--baseline--scripted-fix--r1: not scored yet" in capsys.readouterr().err


def test_links_are_not_asked_about_where_faulty_implementations_told_them(
    out: Path, toml: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [link_case("pages round up", "def test_a():\n    assert pages(1, 2) == 1", subject="part: a")]
    monkeypatch.setattr(cases_module, "cases", lambda _session: list(found))
    counts = []
    for method in ("estimated", "replayed"):
        for path in (out / "runs").glob("*/score.json"):
            document = json.loads(path.read_bytes())
            document["pillars"]["VC"]["submetrics"]["RT"]["method"] = method
            path.write_text(json.dumps(document))
        assert main(["panel", "ask", str(out), "--panel", str(toml), "--dry-run", "--json"]) == 0
        counts.append(json.loads(capsys.readouterr().out)["cases"])
    assert counts == [{"test_link": 2}, {}]


def test_a_moved_suite_is_named_by_an_option(out: Path, toml: Path, capsys) -> None:
    moved = (out.parent / "suite").rename(out.parent / "elsewhere")
    assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 2
    assert "give the directory of this experiment's tasks with --suite" in capsys.readouterr().err
    assert main(["panel", "ask", str(out), "--panel", str(toml), "--suite", str(moved)]) == 0


def test_what_comes_of_a_run_that_is_scored_while_votes_are_there(out: Path, toml: Path) -> None:
    """A run that is scored for the first time after the panel voted has the same bytes as one that was judged later."""
    assert main(["panel", "ask", str(out), "--panel", str(toml)]) == 0
    (run,) = (out / "runs").glob("pages*")
    judged = (run / "score.json").read_bytes()
    suite = load_suite(out.parent / "suite")
    finish(ScoringRequest(str(run), suite.task("pages").locator, "baseline", "react", replay=False), {})
    assert (run / "score.json").read_bytes() == judged


# -- logs ----------------------------------------------------------------------------------------------------------


def test_a_log_is_asked_about(tmp_path: Path, toml: Path, server: ScriptedServer, capsys) -> None:
    votes = tmp_path / "votes"
    assert main(["panel", "ask", str(LOG), "--panel", str(toml), "--votes", str(votes)]) == 0
    printed = capsys.readouterr().out
    assert "rigor score LOG --votes" in printed
    assert main(["score", str(LOG), "--paper", "--json"]) == 0
    assert main(["score", str(LOG), "--paper", "--json", "--votes", str(votes)]) == 0
    plain, judged = (
        json.loads(line)["benchmark"]["pillars"]["PF"]["submetrics"]["DQ"]
        for line in capsys.readouterr().out.splitlines()
    )
    assert (plain["method"], judged["method"], len(judged["votes"])) == ("estimated", "judged", 3)
    # The page and the terminal show what kind of value it is, and whose votes.
    assert main(["score", str(LOG), "--votes", str(votes), "--html", str(tmp_path / "page.html")]) == 0
    assert "judged: DQ (3 votes), CH (3 votes)" in capsys.readouterr().out
    page = (tmp_path / "page.html").read_text()
    assert re.search(r"judged · n = \d+ · 3 votes", page)
    assert "3 of 3 judges" in page
    assert main(["score", str(LOG), "--paper"]) == 0
    assert "estimated: DQ" in capsys.readouterr().out


def test_hostile_logs_and_servers_cost_no_traceback(tmp_path: Path, toml: Path, capsys) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\x00\xff not a log\n")
    votes = tmp_path / "votes"
    assert main(["panel", "ask", str(bad), str(LOG), "--panel", str(toml), "--votes", str(votes)]) == 1
    printed = capsys.readouterr()
    assert "bad.jsonl" in printed.err
    assert "plan             1 of 1" in printed.out
    with serve([Step("\x1b[2J no JSON")]) as nonsense:
        other = write_panel(tmp_path / "other.toml", nonsense.url, 'settings = { reply = "text" }\n')
        assert main(["panel", "ask", str(LOG), "--panel", str(other), "--votes", str(tmp_path / "w")]) == 1
    printed = capsys.readouterr()
    assert "\x1b" not in printed.err + printed.out
    assert "no usable reply" in printed.err
    assert "Traceback" not in printed.err


def test_a_session_with_nothing_to_judge_asks_nobody(
    tmp_path: Path, toml: Path, server: ScriptedServer, capsys
) -> None:
    log = DATA / "trae" / "3c424f85cd-trajectory.json"
    assert main(["panel", "ask", str(log), "--panel", str(toml), "--votes", str(tmp_path / "v")]) == 0
    assert "1 session without anything to judge" in capsys.readouterr().out
    assert server.requests == []


# -- wrong usage, missing keys ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no command"),
        (["judge"], "no command 'judge'; one of: ask"),
        (["ask", "x"], "give --panel FILE"),
        (["ask", "x", "--panel", "nothing.toml"], "nothing.toml: No such file"),
        (["ask", "x", "--panel", "TOML"], "--votes DIR"),
        (["ask", "x", "--panel", "TOML", "--votes", "v", "--suite", "s"], "--suite is for experiments"),
        (["ask", "x", "--panel", "TOML", "--votes", "v", "--task", "nothing.toml"], "nothing.toml"),
        (["ask", "OUT", "--panel", "TOML", "--votes", "v"], "leave out --votes and --task"),
        (["ask", "OUT", "OUT", "--panel", "TOML"], "give it alone"),
    ],
)
def test_wrong_usage_is_one_line(words, said, toml, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text("{}")
    words = [{"TOML": str(toml), "OUT": str(out)}.get(word, word) for word in words]
    assert main(["panel", *words]) == 2
    printed = capsys.readouterr()
    if words:
        assert said in printed.err
        assert printed.err.count("\n") == 1
    else:
        assert "rigor panel COMMAND" in printed.out


def test_a_damaged_manifest_is_one_line(toml, tmp_path, capsys) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text("{")
    assert main(["panel", "ask", str(tmp_path / "out"), "--panel", str(toml)]) == 2
    assert "damaged" in capsys.readouterr().err


def test_without_a_key_scores_stay_estimated_and_it_says_so(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.delenv("NO_SUCH_KEY_HERE", raising=False)
    toml = write_panel(tmp_path / "p.toml", "http://127.0.0.1:9/v1", 'api_key_env = "NO_SUCH_KEY_HERE"\n')
    votes = tmp_path / "v"
    assert main(["panel", "ask", str(LOG), "--panel", str(toml), "--votes", str(votes)]) == 1
    printed = capsys.readouterr()
    assert "set NO_SUCH_KEY_HERE" in printed.err
    assert "scores stay estimated" in printed.err
    assert not votes.exists()
    assert main(["panel", "ask", str(LOG), "--panel", str(toml), "--votes", str(votes), "--dry-run"]) == 1
    assert "prompts: 18 to send" in (printed := capsys.readouterr()).out
    assert "set NO_SUCH_KEY_HERE" in printed.err


def test_without_the_extra_it_says_how_to_install_it(tmp_path, toml, monkeypatch, capsys) -> None:
    def without(*_: object) -> list[object]:
        raise asking_error("asking models needs pydantic-ai: pip install '.[panel]'")

    from rigorbench.panel.judges.config import PanelError as asking_error

    monkeypatch.setattr(ask_panel, "judges", without)
    assert main(["panel", "ask", str(LOG), "--panel", str(toml), "--votes", str(tmp_path / "v")]) == 2
    assert "pip install '.[panel]'" in capsys.readouterr().err


# -- rigor run --panel ---------------------------------------------------------------------------------------------


def test_a_panel_that_cannot_be_asked_is_told_before_anything_runs(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.delenv("NO_SUCH_KEY_HERE", raising=False)
    suite = tiny_suite.write_suite(tmp_path / "suite")
    toml = write_panel(tmp_path / "p.toml", "http://127.0.0.1:9/v1", 'api_key_env = "NO_SUCH_KEY_HERE"\n')
    words = ["run", str(suite), "--model", "scripted/fix", "--out", str(tmp_path / "out"), "--panel"]
    assert main([*words, str(toml)]) == 2
    assert "set NO_SUCH_KEY_HERE" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "nothing.toml")]) == 2
    assert not (tmp_path / "out").exists()


def test_a_run_with_a_panel_reports_judged_scores(out: Path, toml: Path, monkeypatch, capsys) -> None:
    """The runs are there; what `rigor run` does after them is what is looked at."""
    pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    from rigorbench.bench import run as running
    from rigorbench.experiment.store import load_manifest, load_results

    def all_done(plan, target, **_):
        return running.Summary(load_manifest(target), load_results(target))

    monkeypatch.setattr(running, "run_experiment", all_done)
    words = ["run", str(out.parent / "suite"), "--model", "scripted/fix", "--out", str(out), "--panel", str(toml)]
    assert main([*words, "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    stored = {task: result.rigor_score for task, (_, result) in runs(out).items()}
    assert {r["cell"]["task"]: r["rigor_score"] for r in results} == stored
    assert runs(out)["pages"][0].pillars["PF"].submetrics["DQ"].method == "judged"
