"""Which files a session shows, from the words of its commands or from the programs that were seen to run."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import Session
from builders_capture import Capture
from rigorbench.api import extract, read
from rigorbench.evidence.events import ReadEvent
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.reading import FileReads, is_file, spread_patterns
from rigorbench.session.model import Result, Spawn
from rigorbench.session.tools import interpret

TEXT = "def drain(tank):\n    return tank - 1\n"


def reads(found: Evidence) -> list[str]:
    return [e.target for e in found.events if isinstance(e, ReadEvent)]


def shown(command: str, output: str = TEXT) -> tuple[list[str], bool]:
    """The files that a command reads, and whether it may have shown others."""
    found = extract(Session("Repair the tank").shell(command, output).build())
    return reads(found), found.may_have("read")


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ('for f in NOTES.md lib/*.rb; do echo "## $f"; cat $f; done', ["NOTES.md", "lib/*.rb"]),
        ('for n in pump valve; do sed -n 1,40p "lib/$n.rb"; done', ["lib/pump.rb", "lib/valve.rb"]),
        ('PARTS="lib/pump.rb lib/valve.rb"; for p in $PARTS; do head -20 $p; done', ["lib/pump.rb", "lib/valve.rb"]),
        ("PARTS='a.go b.go'; cat $PARTS", ["a.go", "b.go"]),
        ("cat guide/*.md", ["guide/*.md"]),
        ("sed -n 1,200p pump.c valve.c", ["pump.c", "valve.c"]),
        ("sed -n -e '1,5p' -e '/drain/,/^}/p' pump.c", ["pump.c"]),
        ("awk 'NR > 3' pump.c && head -50 *.h", ["pump.c", "*.h"]),
        ("cd lib && nl -ba pump.rb", ["lib/pump.rb"]),
        ("cat lib/{pump,valve}.rb", ["lib/pump.rb", "lib/valve.rb"]),
        ("cat < lib/pump.rb", ["lib/pump.rb"]),
        ("find lib -name '*.rb' -exec cat {} +", ["lib/**/*.rb"]),
        ("find lib spec -name '*.rb' -not -name 'old*' | xargs head -30", ["lib/**/*.rb", "spec/**/*.rb"]),
        ("find . -name '*.toml' | while read f; do echo $f; cat \"$f\"; done", ["**/*.toml"]),
        ("ls lib/*.rb | xargs -n1 cat", ["lib/*.rb"]),
        ("for f in $(git ls-files 'lib/*.rb'); do cat $f; done", ["lib/*.rb"]),
    ],
)
def test_every_file_that_a_line_names_or_matches_is_read(command: str, files: list[str]) -> None:
    assert shown(command) == (files, False)


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("print(open('lib/pump.py').read())", ["lib/pump.py"]),
        ("from pathlib import Path\nfor p in sorted(Path('lib').rglob('*.py')):\n    print(p.read_text())",
         ["lib/**/*.py"]),
        ("import glob\nfor p in glob.glob('lib/*.py'):\n    for i, l in enumerate(open(p)):\n        print(i, l)",
         ["lib/*.py"]),
        ("for n in ('pump', 'valve'):\n    with open(f'lib/{n}.py') as f:\n        print(n, f.read()[:400])",
         ["lib/pump.py", "lib/valve.py"]),
        ("s = open('lib/pump.py').read()\nopen('lib/pump.py', 'w').write(s.replace('1', '2'))\nprint('done')", []),
    ],
)  # fmt: skip
def test_what_a_python_program_prints_of_files_is_read(code: str, files: list[str]) -> None:
    assert shown(f"python - <<'END'\n{code}\nEND")[0] == files
    assert shown(f'python3 -c "{code}"')[0] == files


@pytest.mark.parametrize(
    "command",
    ['show() { cat "$1"; }; show lib/pump.rb', "cat $(grep -rl drain lib)",
     "while read -r name; do cat $name; done < names.txt", 'echo "$(cat lib/pump.rb)"', "./inspect-tank",
     "node -e 'console.log(fs.readFileSync(process.argv[1], \"utf8\"))' lib/pump.js", "sort lib/names.txt",
     "find lib -name '*.rb' -exec sh -c 'tail -n +2 \"$1\"' _ {} \\;"],
)  # fmt: skip
def test_text_that_nobody_can_place_may_be_that_of_any_file(command: str) -> None:
    assert shown(command)[1]
    assert not shown(command, "done")[1]  # one line is not the text of a file


def test_in_a_recorded_run_the_programs_decide_what_was_read(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "run", {"lib/pump.py": TEXT, "lib/valve.py": TEXT})
    command = "for f in lib/*.py EXTRA*; do cat $f; done"
    capture.model("", [("call-1", "bash", {"command": command})])
    shell = capture.run(["bash", "-c", command], output=TEXT * 2)
    for words in (["cat", "lib/pump.py"], ["cat", "lib/valve.py"], ["cat", "EXTRA*"], ["ls", "lib"]):
        capture.run(words, origin="nested", parent=shell)
    capture.answer("call-1", TEXT * 2)
    found = extract(read(capture.done())[0])
    assert reads(found) == ["lib/pump.py", "lib/valve.py"]
    assert not found.may_have("read")


def test_a_tool_that_reads_several_files_reads_each() -> None:
    arguments = {"paths": ["lib/pump.py", "lib/val*.py"]}
    session = Session("Repair the tank")
    session.call("read_many_files", interpret("read_many_files", arguments), Result(TEXT), arguments)
    assert reads(extract(session.build())) == ["lib/pump.py", "lib/val*.py"]


def test_a_pattern_is_a_look_at_each_file_that_is_known_to_have_been_there() -> None:
    session = Session("Repair the tank").shell("cat lib/*.py", TEXT).edit("lib/pump.py", "1", "2")
    session.write("lib/new.py", TEXT).read("lib/valve.py").edit("lib/deep/gate.py", "1", "2")
    found = extract(session.build())
    assert reads(found) == ["lib/pump.py", "lib/valve.py", "lib/valve.py"]
    assert spread_patterns(found.events) == found.events
    assert len({e.id for e in found.events}) == len(found.events)


@pytest.mark.parametrize(
    ("word", "path", "same"),
    [
        ("lib/pump.py", "lib/pump.py", True),
        ("pump.py", "lib/pump.py", True),  # as seen from lib
        ("/srv/shop/lib/pump.py", "lib/pump.py", True),
        ("pump.py", "lib/heatpump.py", False),
        ("lib/*.py", "lib/pump.py", True),
        ("lib/*.py", "lib/deep/pump.py", False),
        ("lib/**/*.py", "lib/pump.py", True),
        ("lib/**/*.py", "lib/deep/er/pump.py", True),
        ("*.py", "lib/pump.py", False),
        ("app/[id]/page.tsx", "app/[id]/page.tsx", True),
    ],
)
def test_a_word_is_a_file_as_the_shell_reads_it(word: str, path: str, same: bool) -> None:
    assert is_file(word, path) is same


def knew(session: Session) -> bool | None:
    """Whether the last edit was of a file whose text was known."""
    found = extract(session.build())
    edits = [e for e in found.events if e.id in found.edits]
    return FileReads(found).knew(edits[-1])  # type: ignore[arg-type]


def begun() -> Session:
    return Session("Repair the tank").read("README.md", "The tank leaks.\n")


BLIND = "sed -i s/1/2/ lib/pump.py"


@pytest.mark.parametrize(
    ("session", "known"),
    [
        (begun().shell(BLIND), False),
        (begun().shell("cat lib/*.py", TEXT).shell(BLIND), True),
        (begun().shell("git show HEAD:lib/pump.py", TEXT).shell(BLIND), True),
        (begun().shell("grep -n drain lib/pump.py", "1:def drain(tank):").shell(BLIND), True),
        (begun().shell("git diff HEAD~1", "diff\n--- a/lib/pump.py\n+++ b/lib/pump.py\n+x").shell(BLIND), True),
        (begun().shell("grep -rn drain lib", "lib/pump.py:1:def drain(tank):").shell(BLIND), None),
        (begun().shell("./inspect-tank", TEXT).shell(BLIND), None),
        (begun().call("Task", Spawn("Read the pump"), Result("It leaks.")).shell(BLIND), None),
        # The edit itself names the text, or another output has shown it.
        (begun().edit("lib/pump.py", "    return tank - 1\n", "    return tank\n"), True),
        (begun().write("lib/pump.py", "x = 1\n", before=TEXT), False),
        (begun().pytest(1, failed=["t::a"]).write("lib/pump.py", "x = 1\n", before=TEXT), False),
        (begun().shell("npm test", f"at work\n{TEXT}").write("lib/pump.py", "x = 1\n", before=TEXT), True),
        (Session(f"Repair this:\n{TEXT}").write("lib/pump.py", "x = 1\n", before=TEXT), True),
        # What a program writes, the agent need not have read.
        (begun().shell("npm run generate && sed -i s/1/2/ lib/pump.py", "one\ntwo"), None),
    ],
)
def test_a_file_was_unknown_only_where_nothing_can_have_shown_it(session: Session, known: bool | None) -> None:
    assert knew(session) is known
