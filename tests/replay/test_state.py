"""How logged edits apply, and how sed is carried out."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.edits.sed import SedError, sed_call
from rigorbench.replay.sed import sed
from rigorbench.replay.state import EditError, edited
from rigorbench.trajectory.model import FileChange

TEXT = "def a():\n    return 1\n\n\ndef b():\n    return 1\n"


def change(*hunks: tuple[str, str], **fields: object) -> FileChange:
    return FileChange("a.py", "modify", hunks=list(hunks), **fields)  # type: ignore[arg-type]


def test_a_string_that_is_there_once_is_replaced() -> None:
    assert edited(TEXT, change(("def a", "def first"))) == TEXT.replace("def a", "def first")
    two = edited(TEXT, change(("def a", "def first"), ("def first():\n    return 1", "def first():\n    return 2")))
    assert two == "def first():\n    return 2\n\n\ndef b():\n    return 1\n"


@pytest.mark.parametrize("old", ["return 1", "missing", ""])
def test_what_is_there_twice_or_not_at_all_is_no_exact_edit(old: str) -> None:
    with pytest.raises(EditError):
        edited(TEXT, change((old, "x")))


def test_replace_all_replaces_every_occurrence() -> None:
    assert edited(TEXT, change(("return 1", "return 2"), replace_all=True)).count("return 2") == 2


def test_insertions_go_behind_their_line() -> None:
    assert edited("a\nb\n", change(("", "x\ny"), at_line=1)) == "a\nx\ny\nb\n"
    assert edited("a\n", change(("", "x"), at_line=0)) == "x\na\n"


def test_crlf_files_keep_their_line_ends() -> None:
    assert edited("a = 1\r\nb = 2\r\n", change(("a = 1\nb", "a = 3\nb"))) == "a = 3\r\nb = 2\r\n"


def test_patches_work_by_whole_lines_in_order() -> None:
    assert edited("x\na = 1\naa = 1\n", change(("a = 1", "a = 2")), "patch") == "x\na = 2\naa = 1\n"
    assert edited("a\nb\nc\n", change(("b", "")), "patch") == "a\nc\n"
    assert edited(TEXT, change(("    return 1", "    return 2")), "patch").index("return 2") < TEXT.index("def b")
    with pytest.raises(EditError, match="2 times"):
        edited(TEXT, change(("    return 1", "    return 2")), "patch", anchored=True)
    with pytest.raises(EditError, match="not in the file"):
        edited(TEXT, change(("    return 3", "x")), "patch")


def test_shell_replacements_may_find_nothing_and_may_append() -> None:
    assert edited(TEXT, change(("missing", "x")), "shell") == TEXT
    assert edited("a\n", change(("", "b\n")), "shell") == "a\nb\n"
    with pytest.raises(EditError):
        edited(TEXT, change(("return 1", "x")), "shell")


SAMPLE = "one\ntwo words\n\ndef spam():\n    return [1, 2]\n\nlast (line)\nOne two two\n"
SCRIPTS = [
    ["s/two/2/"],
    ["s/two/2/g"],
    ["s/two/2/2"],
    ["s/one/[&]/I"],
    ["2d"],
    ["2,4d"],
    ["$d"],
    ["/def/,/^$/d"],
    ["/^$/d"],
    ["2,/^$/d"],
    ["/def/,+1d"],
    ["0,/one/d"],
    ["1,/one/d"],
    ["/two/!d"],
    ["3,1d"],
    ["1a\\after"],
    ["1i before"],
    ["2c\\\nother line"],
    ["2,3c changed"],
    [r"s/\(t\)\(w\)/\2\1/"],
    [r"s/[[:space:]]\+/_/g"],
    [r"s/(line)/<line>/"],
    [r"s|\[1, 2\]|[3]|"],
    ["s/^/    /"],
    ["s/$/;/"],
    ["s/a*/x/2"],
    [r"s/\bspam\b/eggs/"],
    ["s/o/0/g;s/0/o/"],
    ["s/two/2/", "/2/d"],
    [r"/spam/s/()/(x)/"],
    ["s/words/a\\nb/"],
    ["s/[^a-z ]//g"],
    ["s,/,-,g"],
    ["$a tail"],
    ["$i tail"],
    ["$c tail"],
    ["s/[/]/X/"],
    [r"s|w\|o|X|"],
    [r"a first\nsecond"],
    ["{s/two/2/;s/one/1/}"],
]


@pytest.mark.skipif(shutil.which("sed") is None, reason="sed is not here to compare with")
@pytest.mark.parametrize("scripts", SCRIPTS, ids=lambda s: " | ".join(s))
@pytest.mark.parametrize("end", ["\n", ""])
def test_sed_does_what_sed_does(scripts: list[str], end: str) -> None:
    text = SAMPLE.rstrip("\n") + end
    arguments = [word for script in scripts for word in ("-e", script)]
    expected = subprocess.run(["sed", *arguments], input=text, capture_output=True, text=True, check=True).stdout
    assert sed(text, scripts, extended=False) == expected


@pytest.mark.skipif(shutil.which("sed") is None, reason="sed is not here to compare with")
@pytest.mark.parametrize(
    "script", [r"s/(t)(w)/\2\1/", "s/[0-9]+/N/g", r"s/\(line\)/x/", "s/o{1}n?/0/", "/^(one|two)/d"]
)
def test_extended_patterns_do_what_sed_does(script: str) -> None:
    expected = subprocess.run(["sed", "-E", script], input=SAMPLE, capture_output=True, text=True, check=True).stdout
    assert sed(SAMPLE, [script], extended=True) == expected


@pytest.mark.parametrize(
    "script",
    ["y/abc/xyz/", "s/a/b/w out", "N;P;D", "s/x/\\U&/", "/a/{d}", "1~2d", "s/a", "s//x/", r"s/a/\1/", r"s/a\|x/y/"],
)
def test_other_scripts_are_refused(script: str) -> None:
    with pytest.raises(SedError):
        sed("axa\nx\n", [script], extended=False)


def test_sed_options() -> None:
    call = sed_call(["-i.bak", "-E", "-e", "s/a/b/", "--expression=s/c/d/", "x.py", "y.py"])
    assert (call.scripts, call.files, call.in_place, call.extended) == (
        ["s/a/b/", "s/c/d/"],
        ["x.py", "y.py"],
        True,
        True,
    )
    assert sed_call(["-i", "", "s/a/b/", "x"]).files == ["x"]
    assert sed_call(["-n", "-i", "1p", "x"]).unsupported == "-n"
    assert sed_call(["-i", "-f", "x.sed", "x"]).script_file


@settings(max_examples=100)
@given(st.text(alphabet="sdaic/$^.*[]\\(){}0123&g;, \nxyz", max_size=15))
def test_any_script_is_carried_out_or_refused(script: str) -> None:
    try:
        assert isinstance(sed("x\nyz\n", [script], extended=False), str)
    except SedError as error:
        assert str(error)
