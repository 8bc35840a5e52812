"""``[tool.rigor]`` and ``rigor.toml``: what is shown, and how mistakes are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pairs import PAIRS, fixed
from reviewing import opened, reading, review

from builders import Session
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.cli import main
from rigorbench.review.config import Choice, Config, ConfigError, chosen, gate, load_config
from rigorbench.review.grades import review_session
from rigorbench.review.review import Fired

LOG = Path(__file__).resolve().parents[2] / "examples" / "sessions" / "b358d1b227-full.jsonl"


def fired(*ids: str) -> list[Fired]:
    return [Fired(i, "verification", "weak", "seen", "do", [], None, None) for i in ids]


def shown(config: Config, *ids: str, path: str = "a.jsonl") -> list[str]:
    return [f.id for f in config.shown(fired(*ids), path)]


ALL = ("V-narrow", "H-claim-not-shown", "P-plan")


def test_select_takes_letters_and_ids_and_ignore_wins() -> None:
    assert shown(Config(), *ALL) == list(ALL)
    assert shown(Config(select=["V", "P-plan"]), *ALL) == ["V-narrow", "P-plan"]
    assert shown(Config(ignore=["V"]), *ALL) == ["H-claim-not-shown", "P-plan"]
    assert shown(Config(select=["V"], ignore=["V-narrow"]), *ALL) == []


def test_a_path_adds_its_own_choice_and_the_last_severity_counts() -> None:
    legacy = Choice(ignore=["H"], severity={"V-narrow": "note"})
    config = Config(severity={"V-narrow": "flag"}, per_path={"logs/legacy/*": legacy})
    assert shown(config, *ALL, path="logs/new/a.jsonl") == list(ALL)
    assert shown(config, *ALL, path="logs/legacy/deep/a.jsonl") == ["V-narrow", "P-plan"]
    assert [f.severity for f in config.shown(fired("V-narrow"), "logs/new/a.jsonl")] == ["flag"]
    assert [f.severity for f in config.shown(fired("V-narrow"), "logs/legacy/a.jsonl")] == ["note"]


def test_the_file_of_the_nearest_directory_counts_and_rigor_toml_comes_first(tmp_path: Path) -> None:
    here = tmp_path / "project" / "deep"
    here.mkdir(parents=True)
    (tmp_path / "rigor.toml").write_text('ignore = ["I"]\n')
    assert load_config(here).ignore == ["I"]
    (tmp_path / "project" / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load_config(here).ignore == ["I"], "a pyproject.toml without our table is none"
    (tmp_path / "project" / "pyproject.toml").write_text('[tool.rigor]\nignore = ["P"]\n')
    assert load_config(here).ignore == ["P"]
    (tmp_path / "project" / "rigor.toml").write_text('ignore = ["V"]\n')
    assert load_config(here).ignore == ["V"]


def test_options_replace_what_the_file_selects_and_ignores() -> None:
    config = Config(select=["V"], ignore=["V-narrow"], severity={"V-narrow": "note"})
    assert chosen(config, "H, P-plan", None).select == ["H", "P-plan"]
    assert chosen(config, None, "").ignore == []
    assert chosen(config, None, None) == config
    with pytest.raises(ConfigError, match="V-narow"):
        chosen(config, "V-narow", None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('select = ["X"]\n', "there is no check X; `rigor explain` lists them"),
        ('ignore = ["V-narow"]\n', "there is no check V-narow"),
        ('severity = { "V-no" = "note" }\n', "there is no check V-no"),
        ('severity = { "V-narrow" = "error" }\n', "docs/checks.md"),
        ('[per-path]\n"a*" = { ignore = ["nothing"] }\n', "there is no check nothing"),
        ("slect = []\n", "slect"),
        ('select = "V"\n', "docs/checks.md"),
        ("select = [\n", "cannot be read"),
    ],
)
def test_a_mistake_is_one_line_with_the_file_and_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    (tmp_path / "rigor.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["score", str(LOG)]) == 2
    captured = capfd.readouterr()
    [line] = captured.err.splitlines()
    assert str(tmp_path / "rigor.toml") in line
    assert why in line
    assert captured.out == ""


def test_the_command_line_selects_and_the_grades_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)

    def scored(*options: str) -> dict[str, object]:
        assert main(["score", str(LOG), "--json", *options]) == 0
        found: dict[str, object] = json.loads(capfdbinary.readouterr().out)["review"]
        return found

    everything, some, none = scored(), scored("--select", "V,P-plan"), scored("--ignore", "V,P,R,I,H")
    assert {c["id"][0] for c in some["checks"]} == {"P", "V"}  # type: ignore[attr-defined]
    assert none["checks"] == []
    for name in ("overall", "grades", "size"):
        assert everything[name] == some[name] == none[name]
    assert main(["score", str(LOG), "--select", "V-narow"]) == 2
    [line] = capfdbinary.readouterr().err.decode().splitlines()
    told = "there is no check V-narow (did you mean V-narrow?); `rigor explain` lists them"
    assert line == f"rigor score: --select/--ignore: {told}"


def test_an_excluded_finding_is_gone_for_the_facts_as_well() -> None:
    session = Session("Fix total in src/a.py").edit("src/a.py", "return 0\n", "return sum(items)\n").pytest(3)
    session.edit("src/a.py", "return sum(items)\n", "return 1\n").pytest(2, failed=["tests/test_a.py::test_total"])
    before = score_and_review(session.build()).review
    (found,) = [c for c in before.checks if c.id == "V-ended-on-red"]
    said = "a check still failed at the end"
    assert said in before.grades["verification"].reason
    after = score_and_review(session.build(), config=Config(exclude={found.fingerprint: "the user agreed"})).review
    assert [c for c in before.checks if c is not found] == after.checks
    assert said not in after.grades["verification"].reason


def test_a_fingerprint_names_a_finding_wherever_its_log_is_and_however_it_goes_on() -> None:
    def found(session: Session, id: str = "synthetic") -> list[str]:
        trajectory = session.say("All tests pass.").build()
        trajectory.id = id
        return [c.fingerprint for c in score_and_review(trajectory).review.checks if c.id == "H-claim-contradicted"]

    def red() -> Session:
        session = Session("Fix total").edit("src/a.py", "    return 0\n", "    return sum(items)\n")
        return session.pytest(2, failed=["tests/test_a.py::test_total"])

    (one,) = found(red())
    assert found(red().read("src/b.py").read("src/c.py")) == [one]
    assert found(red(), id="other") != [one]
    assert found(red().pytest(1, failed=["tests/test_a.py::test_total"])) != [one]
    assert one.split(":")[0] == "H-claim-contradicted"


def test_an_excluded_finding_is_one_line_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    log = str(LOG.parents[2] / "tests" / "data" / "claude-code" / "cli-2.0.76")
    assert main(["score", log, "--exclusions", "--fail-on", "flag"]) == 3
    lines = [w for w in capfd.readouterr().out.splitlines() if w.startswith("exclude: ")]
    (line,) = [w for w in lines if "R-bent-tests" in w]
    (tmp_path / "rigor.toml").write_text(line.removeprefix("exclude: ") + "\n")
    assert main(["score", log, "--exclusions", "--fail-on", "flag"]) == 0
    assert "R-bent-tests" not in capfd.readouterr().out
    (tmp_path / "rigor.toml").write_text(line.removeprefix("exclude: ").replace("R-bent-tests", "R-bent-test") + "\n")
    assert main(["score", log]) == 2
    assert "no check R-bent-test (did you mean R-bent-tests?)" in capfd.readouterr().err


def test_a_grade_that_is_asked_for_and_that_nobody_gave_is_an_error_that_names_the_reader() -> None:
    unread = review(fixed().pytest(3))
    said = "--fail-under 50 needs a grade, and nobody has read the session: add `--reader claude`"
    assert gate(50, None).reasons(unread) == [said]
    assert gate(50, None).notice("a.jsonl", unread) == f"a.jsonl: fails: {said}"
    assert gate(None, "flag").reasons(unread) == []


def test_a_session_that_was_read_is_held_against_its_grade() -> None:
    for overall, fails in ((2, True), (3, False), (5, False)):
        found = review_session(opened(fixed()), reading=reading(overall))
        assert bool(gate(50, None).reasons(found)) is fails


def test_what_was_read_without_a_grade_or_cannot_be_read_passes_with_a_word() -> None:
    read = review_session(opened(fixed()), reading=reading(None))
    cut = fixed().build()
    cut.complete = False
    for found in (read, review(cut)):
        assert gate(50, None).reasons(found) == []
        assert "no overall grade, so --fail-under says nothing of it" in (gate(50, None).notice("a", found) or "")


def test_findings_stop_whatever_a_reader_says() -> None:
    bent = review_session(opened(PAIRS["R-bent-tests"](True)), reading=reading(5))
    assert gate(50, "flag").reasons(bent) == ["flag R-bent-tests"]
