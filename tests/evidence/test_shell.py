"""Shell lines taken apart: wrappers, directories, here-documents, and what an exit status says of each command."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.shell.parse import SimpleCommand, parse, statuses


def programs(line: str) -> list[str]:
    return [c.program for c in parse(line)]


def only(line: str) -> SimpleCommand:
    (command,) = parse(line)
    return command


@pytest.mark.parametrize(
    ("line", "program", "args", "wrappers"),
    [
        ("timeout 60 uv run python -m pytest -q", "pytest", ["-q"], ["timeout", "uv run", "python -m"]),
        ("timeout -k 5 --signal=TERM 60 pytest", "pytest", [], ["timeout"]),
        ("sudo -u app env A=1 nice -n 5 make test", "make", ["test"], ["sudo", "env", "nice"]),
        ("time pytest", "pytest", [], ["time"]),
        ("time A=1 pytest", "pytest", [], ["time"]),
        ("python3.11 -W ignore -u -m unittest -v", "unittest", ["-v"], ["python -m"]),
        ("/usr/bin/python3 x.py", "python3", ["x.py"], []),
        ("venv/bin/pytest -q", "pytest", ["-q"], []),
        (".venv/Scripts/python.exe -m pytest", "pytest", [], ["python -m"]),
        (r".venv\Scripts\python.exe -m pytest", "pytest", [], ["python -m"]),
        (r"Get-Content docs\notes.md", "Get-Content", [r"docs\notes.md"], []),
        ("tool --body @'\nit's a -> b | c\n'@ -x", "tool", ["--body", "it's a -> b | c", "-x"], []),
        ("cat <<'EOF' > a.ps1\n@'\na\n'@\nEOF", "cat", [], []),
        ("$(which python) -m pytest", "pytest", [], ["python -m"]),
        ("$PYTHON -m pytest", "pytest", [], ["python -m"]),
        ("./gradlew test", "gradlew", ["test"], []),
        ("uv run --with pytest-cov --extra dev pytest -q", "pytest", ["-q"], ["uv run"]),
        ("uv run -m pytest", "pytest", [], ["uv run", "python -m"]),
        ("uvx --from ruff==0.9 ruff@latest check", "ruff", ["check"], ["uvx"]),
        ("uv tool run ruff check", "ruff", ["check"], ["uv run"]),
        ("poetry run pytest", "pytest", [], ["poetry run"]),
        ("conda run -n env --no-capture-output pytest", "pytest", [], ["conda run"]),
        ("coverage run --source=src -m pytest -q", "pytest", ["-q"], ["coverage run", "python -m"]),
        ("python -m coverage run -m pytest", "pytest", [], ["python -m", "coverage run", "python -m"]),
        ("npx -y jest@29 src", "jest", ["src"], ["npx"]),
        ("npx @biomejs/biome@1.9 check", "biome", ["check"], ["npx"]),
        ("pnpm --filter web exec vitest run", "vitest", ["run"], ["pnpm exec"]),
        ("yarn jest src", "jest", ["src"], ["yarn"]),
        ("bundle exec rspec spec", "rspec", ["spec"], ["bundle exec"]),
        ("mise x -- pytest -q -- a", "pytest", ["-q", "--", "a"], ["mise x"]),
        ("mise exec node@20 -- npm test", "npm", ["test"], ["mise exec"]),
        ("direnv exec . pytest", "pytest", [], ["direnv exec"]),
        ("docker exec -it -e A=1 -w /app web pytest -q", "pytest", ["-q"], ["docker exec"]),
        ("docker run --rm -v $PWD:/x -w /x python:3.11 pytest", "pytest", [], ["docker run"]),
        ("docker compose -f dev.yml exec -T web pytest", "pytest", [], ["docker compose exec"]),
        ("docker-compose run --rm web npm test", "npm", ["test"], ["docker-compose run"]),
        ("kubectl -n x exec pod-1 -c web -- pytest", "pytest", [], ["kubectl exec"]),
        ("ssh -p 22 host 'cd /srv && make test'", "make", ["test"], ["ssh"]),
        ('bash -lc "pytest -q"', "pytest", ["-q"], ["bash -c"]),
        ("bash -euo pipefail -c 'pytest -q'", "pytest", ["-q"], ["bash -c"]),
        ("eval 'pytest -q'", "pytest", ["-q"], ["eval"]),
        ("xvfb-run -a npm test", "npm", ["test"], ["xvfb-run"]),
        ("script -qec 'pytest -q' /dev/null", "pytest", ["-q"], ["script -qec"]),
        ("nix-shell --run 'make check'", "make", ["check"], ["nix-shell --run"]),
        ("nix develop -c pytest", "pytest", [], ["nix develop"]),
        ("xargs -0 -n 1 pytest -q", "pytest", ["-q"], ["xargs"]),
        ("dotenv -e .env -- pytest", "pytest", [], ["dotenv"]),
        ("env", "env", [], []),
        ("command -v pytest", "command", ["-v", "pytest"], []),
        ("docker run image", "docker", ["run", "image"], []),
        ("bash run.sh -c x", "bash", ["run.sh", "-c", "x"], []),
        ("uv sync", "uv", ["sync"], []),
        ("timeout", "timeout", [], []),
    ],
)
def test_wrappers_come_off(line: str, program: str, args: list[str], wrappers: list[str]) -> None:
    command = parse(line)[-1]
    assert (command.program, command.args, command.wrappers) == (program, args, wrappers)


def test_a_compound_line_is_taken_apart_with_directories_and_environment() -> None:
    line = "cd sub && A=1 pytest -q \"a b\" --x='c d' 2>&1 | tail -5; (cd .. ; ls) ; pwd"
    cd, test, tail, up, ls, pwd = parse(line)
    assert (cd.program, cd.cwd) == ("cd", "sub")
    assert (test.program, test.args, test.env, test.cwd) == ("pytest", ["-q", "a b", "--x=c d"], {"A": "1"}, "sub")
    assert test.text == "A=1 pytest -q \"a b\" --x='c d' 2>&1"
    assert [(r.operator, r.target) for r in test.redirects] == [("2>&", "1")]
    assert test.piped_into == ["tail"]
    assert tail.piped_from == "pytest"
    assert (up.cwd, ls.cwd) == (".", ".")
    assert pwd.cwd == "sub"


@pytest.mark.parametrize(
    ("line", "cwd"),
    [
        ("git -C lib status", "lib"),
        ("cd a && git -C b status", "a/b"),
        ("git commit -C HEAD", None),
        ("make -C build test", "build"),
        ("npm --prefix web test", "web"),
        ("cargo test --manifest-path crates/x/Cargo.toml", "crates/x"),
        ("go test ./...", None),
        ("cd /a/b && cd ../c && ls", "/a/c"),
        ("cd a && cd - && ls", None),
        ("pushd a; popd; ls", None),
        ('cd "$(git rev-parse --show-toplevel)" && ls', None),
        ("DIR=src; cd $DIR && ls", "src"),
        ("bash -c 'cd x && ls'; ls", None),
        ("cd x; bash -c 'ls'", "x"),
        (r"cd C:\work\x && npm test", "C:\\work\\x"),
    ],
)
def test_working_directory(line: str, cwd: str | None) -> None:
    assert parse(line)[-1].cwd == cwd


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest", {"pytest": "exact"}),
        ("a; b", {"a": "none", "b": "exact"}),
        ("a\nb", {"a": "none", "b": "exact"}),
        ("a && b", {"a": "if_zero", "b": "if_zero"}),
        ("cd x && b", {"b": "exact"}),
        ("cd x && b && echo ok", {"b": "exact"}),
        ("export A=1; source v/bin/activate && b", {"b": "exact"}),
        ("a || true", {"a": "none"}),
        ("a || echo failed", {"a": "none"}),
        ("a || exit 1", {"a": "exact"}),
        ("a && b || exit 1", {"a": "if_zero", "b": "if_zero"}),
        ("a || { echo no; exit 1; }", {"a": "exact"}),
        ("a | tail -5", {"a": "none", "tail": "exact"}),
        ("a 2>&1 | tee log", {"a": "none"}),
        ("cd x && a 2>&1 | tail", {"a": "none"}),
        ("set -o pipefail; a | tail", {"a": "exact", "tail": "if_zero"}),
        ("set -euo pipefail; a | b", {"a": "if_zero", "b": "if_zero"}),
        ("set -o pipefail && a | tee x", {"a": "exact"}),
        ("bash -o pipefail -c 'a | tail'", {"a": "exact"}),
        ("set -e; a; b", {"a": "if_zero", "b": "if_zero"}),
        ("set -e; cd x; b", {"b": "exact"}),
        ("! a", {"a": "none"}),
        ("a &", {"a": "none"}),
        ("a & b", {"a": "none", "b": "exact"}),
        ("(a; b)", {"a": "none", "b": "exact"}),
        ("(a) && (b)", {"a": "if_zero", "b": "if_zero"}),
        ("{ a; }", {"a": "exact"}),
        ("if a; then b; fi", {"a": "none", "b": "none"}),
        ("for i in 1; do a; done", {"a": "none"}),
        ("while a; do b; done", {"a": "none", "b": "none"}),
        ("case x in y) a;; esac", {"a": "none"}),
        ("f() { a; }; f", {"a": "none"}),
        ("a; echo $?", {"a": "none"}),
        ('a; echo "exit: $?"', {"a": "none"}),
        ("a; exit $?", {"a": "exact"}),
        ("a | tail; exit ${PIPESTATUS[0]}", {"a": "exact", "tail": "none"}),
        ("a; rc=$?; cat log; exit $rc", {"a": "exact", "cat": "none"}),
        ("a | tee log; rc=${PIPESTATUS[0]}; tail log; exit $rc", {"a": "exact", "tee": "none"}),
        ("a; rc=$?; cat log", {"a": "none", "cat": "exact"}),
        ("OUT=$(a); echo $OUT", {"a": "none"}),
        ("time (a)", {"a": "exact"}),
        ("bash -c 'a; b'", {"a": "none", "b": "exact"}),
        ("cd x && bash -c 'a'", {"a": "exact"}),
        ("a && bash -c 'b'", {"a": "if_zero", "b": "if_zero"}),
    ],
)
def test_what_the_exit_status_says(line: str, expected: dict[str, str]) -> None:
    found = {c.program: c.status for c in parse(line)}
    assert {p: found[p] for p in expected} == expected


def test_statuses_of_a_line() -> None:
    assert statuses(parse("a && b"), 0) == [0, 0]
    assert statuses(parse("a && b"), 1) == [None, None]
    assert statuses(parse("cd x && pytest"), 1) == [None, 1]
    assert statuses(parse("timeout 5 pytest"), 124) == [124]
    assert statuses(parse("a; b"), 3) == [None, 3]
    assert statuses(parse("a; b"), None) == [None, None]


def test_here_documents_feed_their_commands() -> None:
    cat, ls, echo = parse("cat <<'EOF' > a.py && ls\nprint('$x')\n\tif [ 1 ]; then\nEOF\necho done")
    assert cat.stdin == "print('$x')\n\tif [ 1 ]; then\n"
    assert cat.stdin_literal
    assert [(r.operator, r.target) for r in cat.redirects] == [(">", "a.py")]
    assert cat.text == "cat <<'EOF' > a.py"
    assert (ls.program, echo.program) == ("ls", "echo")


def test_a_here_document_that_is_cut_off_gets_no_end() -> None:
    assert programs("$(<<A\n") == ["$(<<A"]
    assert programs("0)<<A$0\n") == ["0)<<A$0"]
    assert programs("\\<<A ls") == ["<"]  # escaped, so that no document follows


def test_here_documents_of_several_kinds() -> None:
    assert [c.stdin for c in parse("cat <<A; cat <<B\n1\nA\n2\nB\n")] == ["1\n", "2\n"]
    assert only("cat <<-EOF\n\tx\n\tEOF\n").stdin == "x\n"
    assert only("python - <<< 'print(1)'").stdin == "print(1)\n"
    quoted = only('cat <<"END OF" > x\na\nEND OF')
    assert quoted.stdin == "a\n"
    expanded = only("N=3\ncat <<EOF > x\n$N \\$HOME $OTHER\nEOF")
    assert (expanded.stdin, expanded.stdin_literal) == ("3 $HOME $OTHER\n", False)
    # cut off before its end, as in a truncated log
    assert only("cat > a.py <<'EOF'\nimport os\nprint(1)").stdin == "import os\nprint(1)"
    # no here-documents
    assert programs('grep "<<EOF" file\nls') == ["grep", "ls"]
    assert programs("echo $((1<<2)); ls") == ["echo", "ls"]
    assert programs("echo '\n  std::cout << X;\n' > a.cpp; ls") == ["echo", "ls"]


def test_a_substitution_that_is_a_here_document_is_its_text() -> None:
    command = only("git commit -m \"$(cat <<'EOF'\nFix it\n\nBecause $x.\nEOF\n)\"")
    assert command.args == ["commit", "-m", "Fix it\n\nBecause $x."]
    command = only('git commit -m "$(cat <<EOF\nFix it\nEOF)"')
    assert command.args[-1] == "Fix it"


def test_text_piped_into_an_interpreter_is_its_input() -> None:
    assert parse("cat <<'EOF' | python3 -\nprint(1)\nEOF")[-1].stdin == "print(1)\n"
    assert parse("echo 'a b' | tee x")[-1].stdin == "a b\n"
    assert parse("printf 'a\\nb\\n' | tee x")[-1].stdin == "a\nb\n"
    assert parse("ls | tee x")[-1].stdin is None


def test_shells_fed_with_a_script_run_it() -> None:
    assert programs("bash <<'EOF'\ncd x\nmake test\nEOF") == ["cd", "make"]
    assert programs("bash -s <<'EOF' | tail\nmake test\nEOF") == ["make", "tail"]
    assert programs("echo 'make test' | sh") == ["echo", "make"]
    assert programs("bash -c 'cat > f <<EOF\nx\nEOF\nls'") == ["cat", "ls"]


def test_loops_over_literals_run_once_for_each() -> None:
    line = "for f in a.py b.py; do sed -i s/x/y/ $f; done"
    assert [c.args[-1] for c in parse(line)] == ["a.py", "b.py"]
    assert [c.args for c in parse("for t in tests/*.py; do python $t; done")] == [["tests/*.py"]]
    assert len(parse("for a in 1 2 3 4 5 6 7 8 9; do " * 4 + "x; " + "done; " * 4)) < 2000


def test_substitutions_run_programs_too() -> None:
    assert programs("RESULT=$(npm test 2>&1)") == ["npm"]
    assert programs('echo "$(make test)"') == ["make", "echo"]
    assert programs("diff <(sort a) <(./b)") == ["b", "diff"]
    assert programs('cd "$(dirname "$x")"; D=$(date +%s)') == ["cd"]


def test_groups_share_their_redirection() -> None:
    first, second = parse("{ echo a; echo b; } > f")
    assert [(r.operator, r.target) for r in first.redirects] == [(">", "f")]
    assert [(r.operator, r.target) for r in second.redirects] == [(">>", "f")]


def test_words_after_a_redirection_are_arguments() -> None:
    command = only("cat > out -n file 2> err more")
    assert command.args == ["-n", "file", "more"]
    assert [(r.operator, r.target) for r in command.redirects] == [(">", "out"), ("2>", "err")]
    assert only("> out python x.py").program == "python"
    assert only("tee x > /dev/null <<< 'a b'").stdin == "a b\n"


def test_shell_words_that_look_like_programs_are_none() -> None:
    assert programs("if true; then ls; else pwd; fi") == ["true", "ls", "pwd"]
    assert programs("# pytest\nls # pytest") == ["ls"]
    assert programs('A="pytest"') == []
    assert programs("x=(1 2 3); ((x++)); ls") == ["ls"]


@pytest.mark.parametrize(
    "line",
    ["", " ", "\n", "'", '"', "$(", "`", "if", "a &&", "| b", "<<", "<<EOF", "cat <<EOF", ")", "{", "}}", "a b) c",
     "\x00", "\x01", "\ud800", "a\x01" + "0\x01", "((((", "case", "for", "${", "$((", "cat <<'E\n", "bash -c", "!",
     "&" * 50, "(" * 3000, "$(" * 3000, "a | " * 2000, "bash -c " * 300, "eval " * 300, "if x; then " * 500],
)  # fmt: skip
def test_anything_parses(line: str) -> None:
    for command in parse(line):
        assert command.program
        assert command.status in ("exact", "if_zero", "none")


_PIECES = st.sampled_from(
    "cd pytest git bash -c -m 'a b' \"$(ls)\" $X ${Y} && || ; | & ! ( ) { } \n <<EOF EOF > >> 2>&1 < f.py if then "
    "fi for in do "
    "done while case esac \\ ` $( )) # = A=1 timeout 5 uv run python xargs eval exit $? tee echo".split(" ")
)


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=25).map(" ".join)))
def test_parsing_is_total_and_deterministic_and_invents_no_program(line: str) -> None:
    commands = parse(line)
    parse.__globals__["_cached"].cache_clear()
    assert parse(line) == commands
    # Quotes and escapes inside a word are resolved, so compare without them.
    plain = _without_quotes(line.replace("\x01", "\ufffd"))
    for command in commands:
        assert "$'" in line or _without_quotes(command.program) in plain, (command.program, line)
    assert len(statuses(commands, 1)) == len(commands)


def _without_quotes(text: str) -> str:
    return "".join(c for c in text.replace("\\\n", "") if c not in "'\"\\$ ")


def test_with_errexit_a_failed_command_keeps_all_later_ones_from_running() -> None:
    guards = {c.text: c.guards for c in parse("set -e\nninja\n./probe || true\nninja install; rm -r build")}
    assert guards["ninja install"] == ["set -e", "ninja"]
    assert guards["rm -r build"] == ["set -e", "ninja", "ninja install"]
    assert {c.text: c.guards for c in parse("ninja; ninja install")}["ninja install"] == []
