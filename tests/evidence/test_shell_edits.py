"""Edits recovered from shell commands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.edits.python import python_edits
from rigorbench.evidence.edits.sed import sed_changes
from rigorbench.evidence.edits.shell import shell_edits
from rigorbench.evidence.shell.parse import parse
from rigorbench.session.model import FileChange


def edits(line: str) -> list[FileChange]:
    return [change for command in parse(line) for change in shell_edits(command)]


def only(line: str) -> FileChange:
    (change,) = edits(line)
    return change


@pytest.mark.parametrize(
    ("line", "path", "after"),
    [
        ("cat > a.py <<'EOF'\nx = '$1'\nEOF", "a.py", "x = '$1'\n"),
        ("cat <<'EOF' > a.py\nx\nEOF", "a.py", "x\n"),
        ("cd src && cat > ../a/b.py <<EOF\nx\nEOF", "a/b.py", "x\n"),
        ("cat <<'EOF' | tee a.py\nx\nEOF", "a.py", "x\n"),
        ("sudo tee /etc/x > /dev/null <<< 'a b'", "/etc/x", "a b\n"),
        ("echo 'a b' > a.txt", "a.txt", "a b\n"),
        ("echo -n a > a.txt", "a.txt", "a"),
        ("echo -e 'a\\tb' > a.txt", "a.txt", "a\tb\n"),
        ("printf 'a\\nb\\n' > a.txt", "a.txt", "a\nb\n"),
        ("printf '%s\\n' a b > a.txt", "a.txt", "a\nb\n"),
        ("> empty", "empty", ""),
        (": > empty", "empty", ""),
        ("bash -c 'echo x > a.txt'", "a.txt", "x\n"),
        ("D=src; echo x > $D/a.txt", "src/a.txt", "x\n"),
    ],
)
def test_whole_files(line: str, path: str, after: str) -> None:
    change = only(line)
    assert (change.path, change.operation, change.after) == (path, "create", after)


def test_text_with_expansions_is_not_the_file() -> None:
    change = only("cat > a.py <<EOF\nhome = $HOME\nEOF")
    assert (change.operation, change.after, change.hunks) == ("create", None, [("", "home = $HOME\n")])
    assert only("echo $HOME > a").after is None
    assert only("pytest > out.txt 2>&1").after is None


def test_appending() -> None:
    change = only("cat >> a.py <<'EOF'\nx\nEOF")
    assert (change.operation, change.after, change.hunks) == ("modify", None, [("", "x\n")])
    assert only("echo x | tee -a a.py").hunks == [("", "x\n")]
    first, second = edits("{ echo a; echo b; } > f")
    assert (first.after, second.hunks) == ("a\n", [("", "b\n")])


@pytest.mark.parametrize(
    "line",
    ["pytest > "
        "/dev/null", "pytest 2>&1", "ls 2>/dev/null", "echo x >&2", "cat a.py", "sed -n 1p a.py", "sed s/a/b/ a.py",
     "git checkout main", "git checkout -b x", "git checkout --theirs a.py", "git restore --staged "
         "a.py", "git stash list", "git status", "git rm --cached a",
     "echo x > $OUT", "echo 'a > b'", "docker exec web sh -c 'echo x > "
         "a'", "ssh host 'rm -rf x'", "patch --dry-run -p1 < x",
     "black --check a.py", "ruff check a.py", "python -c "
         "'print(1)'", "python x.py", "perl -ne 'print' a", "git apply --check x",
     "curl http://x/y", "wget -qO- http://x/y", "python -c 'open(\"a\").write'", "gofmt -l a.go"],
)  # fmt: skip
def test_no_edit(line: str) -> None:
    assert edits(line) == []


@pytest.mark.parametrize(
    ("line", "hunks", "at_line", "everywhere"),
    [
        ("sed -i 's/old/new/' a", [("old", "new")], None, True),
        ("sed -i 's/old/new/g' a", [("old", "new")], None, True),
        ("sed -i '5s/old/new/' a", [("old", "new")], None, False),
        ("sed -i.bak -e 's|a/b|c/d|' a", [("a/b", "c/d")], None, True),
        ("sed -i '' 's/a/b/' a", [("a", "b")], None, True),
        ("sed --in-place 's/a/b/' a", [("a", "b")], None, True),
        (r"sed -i 's/np\.Inf/np.inf/g' a", [("np.Inf", "np.inf")], None, True),
        (r"sed -i 's/a\/b/c\/d/' a", [("a/b", "c/d")], None, True),
        (r"sed -i 's/f(x)/g(&)/' a", [("f(x)", "g(f(x))")], None, True),
        (r"sed -E -i 's/f\(x\)/g/' a", [("f(x)", "g")], None, True),
        (r"sed -i 's/a/b\n  c/' a", [("a", "b\n  c")], None, True),
        (r"sed -i '570a\    x = 1' a", [("", "    x = 1")], 570, False),
        (r"sed -i '570i\    x = 1\n    y' a", [("", "    x = 1\n    y")], 569, False),
        ("sed -i '5i from x import y' a", [("", "from x import y")], 4, False),
        ("sed -i '/import x/a import y' a", [("", "import y")], None, False),
        ("sed -i 's/a/b/; s/c/d/' a", [("a", "b"), ("c", "d")], None, False),
        ("sed -i -e 's/a/b/' -e 's/c/d/' a", [("a", "b"), ("c", "d")], None, False),
        ("sed -i 's/[0-9]+/N/' a", [], None, False),
        (r"sed -i 's/\(a\)/\1b/' a", [], None, False),
        ("sed -i '5,9d' a", [], None, False),
        ("sed -i -f x.sed a", [], None, False),
        ("perl -i -pe 's{a/b}{c}' a", [], None, False),
        ("perl -0777 -i -pe 's/(\\w+)/$1/' a", [], None, False),
        ("awk -i inplace '{print}' a", [], None, False),
    ],
)
def test_edits_in_place(line: str, hunks: list[tuple[str, str]], at_line: int | None, everywhere: bool) -> None:
    change = only(line)
    assert (change.path, change.operation) == ("a", "modify")
    assert (change.hunks, change.at_line, change.replace_all) == (hunks, at_line, everywhere)


def test_in_place_edits_of_several_files() -> None:
    assert [c.path for c in edits("sed -i s/a/b/ x.py y.py")] == ["x.py", "y.py"]
    assert [c.path for c in edits("for f in x.py y.py; do sed -i s/a/b/ $f; done")] == ["x.py", "y.py"]
    assert [c.path for c in edits("grep -rl a | xargs sed -i s/a/b/")] == ["."]


SCRIPT = """
import pathlib, re
p = pathlib.Path('pkg') / 'a.py'
s = p.read_text()
assert s.count('old') == 1
p.write_text(s.replace('old', 'new'))
"""


def test_a_python_script_that_replaces_text() -> None:
    change = only(f"python - <<'EOF'{SCRIPT}EOF")
    assert (change.path, change.operation, change.hunks) == ("pkg/a.py", "modify", [("old", "new")])
    assert change.replace_all
    assert only(f"cd sub && cat <<'EOF' | python3{SCRIPT}EOF").path == "sub/pkg/a.py"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("open('a', 'w').write('x')", [("a", "create", "x", [])]),
        ("with open('a', 'w') as f:\n  f.write('x')\n  f.write('y')", [("a", "create", "xy", [])]),
        ("open('a', 'a').write('x')", [("a", "modify", None, [("", "x")])]),
        ("with open('a') as f: s = f.read()\ns = s.replace('b', 'c').replace('d', 'e')\nopen('a','w').write(s)",
         [("a", "modify", None, [("b", "c"), ("d", "e")])]),
        ("import re\ns = open('a').read()\ns = re.sub('x', 'y', s)\nopen('a', "
            "'w').write(s)", [("a", "modify", None, [])]),
        ("L = open('a').readlines()\nL.insert(3, 'x')\nopen('a', 'w').writelines(L)", [("a", "modify", None, [])]),
        ("for p in ['a', 'b']:\n  s = open(p).read()\n  open(p, 'w').write(s.replace('x', 'y'))",
         [("a", "modify", None, [("x", "y")]), ("b", "modify", None, [("x", "y")])]),
        ("def sub(p, old, new):\n  s = open(p).read()\n  open(p, 'w').write(s.replace(old, new))\nsub('a', 'x', 'y')",
         [("a", "modify", None, [("x", "y")])]),
        ("def main():\n  open('a', 'w').write('x')\nif __name__ == '__main__':\n  main()", [("a", "create", "x", [])]),
        ("import json\nwith open('a.json', 'w') as f: json.dump({}, f)", [("a.json", "create", None, [])]),
        ("import os\nos.remove('a')\nos.rename('b', 'c')",
         [("a", "delete", None, []), ("b", "rename", None, [])]),
        ("from pathlib import Path\nPath('a').unlink()", [("a", "delete", None, [])]),
        ("import os\nopen(os.path.join('d', 'a'), 'w').write('x')", [("d/a", "create", "x", [])]),
        ("name = 'a'\nopen(f'{name}.py', 'w').write('x' + 'y')", [("a.py", "create", "xy", [])]),
        ("open('a', 'w').write(str(1))", [("a", "create", None, [])]),
        ("open('a').read()", []),
        ("open(x, 'w').write('x')", []),
        ("print('open(1).write(2)')", []),
        ("def f(: write", []),
    ],
)  # fmt: skip
def test_what_python_writes(code: str, expected: list[tuple[str, str, str | None, list[tuple[str, str]]]]) -> None:
    assert [(c.path, c.operation, c.after, c.hunks) for c in python_edits(code)] == expected


def test_scripts_that_are_known_by_their_text() -> None:
    scripts = {"fix.py": SCRIPT, "d/fix.sh": "sed -i s/a/b/ x.py\n"}.get
    (command,) = parse("python fix.py")
    assert [c.path for c in shell_edits(command, scripts)] == ["pkg/a.py"]
    assert [c.path for c in shell_edits(parse("cd d && bash ./fix.sh")[-1], scripts)] == ["d/x.py"]
    assert shell_edits(parse("python other.py")[0], scripts) == []
    # the cached analysis is not changed by those who use it
    assert shell_edits(parse("cd q && python ../fix.py")[-1], scripts)[0].path == "q/pkg/a.py"
    assert shell_edits(command, scripts)[0].path == "pkg/a.py"


PATCH = """*** Begin Patch
*** Update File: a.py
@@
-x
+y
*** Add File: b.py
+z
*** End Patch
"""


def test_patches() -> None:
    update, add = edits(f"apply_patch <<'EOF'\n{PATCH}EOF")
    assert (update.path, update.hunks) == ("a.py", [("x", "y")])
    assert (add.path, add.operation, add.after) == ("b.py", "create", "z\n")
    assert [c.path for c in edits(f"cd d && apply_patch '{PATCH}'")] == ["d/a.py", "d/b.py"]
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    for line in ("patch -p1", "git apply", "git apply -"):
        assert [(c.path, c.hunks) for c in edits(f"{line} <<'EOF'\n{diff}EOF")] == [("x.py", [("a", "b")])]
    assert edits(f"git apply -R <<'EOF'\n{diff}EOF")[0].hunks == [("b", "a")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rm -f a.py b.py", [("delete", "a.py"), ("delete", "b.py")]),
        ("git rm -q a.py", [("delete", "a.py")]),
        ("mv a.py b.py", [("rename", "a.py")]),
        ("cp a.py b.py", [("create", "b.py")]),
        ("cp -r a b", [("create", "b")]),
        ("cp a.py b.py dir", [("create", "dir/a.py"), ("create", "dir/b.py")]),
        ("touch a.py", [("create", "a.py")]),
        ("truncate -s 0 a.py", [("modify", "a.py")]),
        ("git checkout -- a.py", [("modify", "a.py")]),
        ("git checkout HEAD~1 a.py", [("modify", "a.py")]),
        ("git restore a.py", [("modify", "a.py")]),
        ("git -C sub checkout -- a.py", [("modify", "sub/a.py")]),
        ("git reset --hard", [("modify", ".")]),
        ("git stash", [("modify", ".")]),
        ("git stash pop", [("modify", ".")]),
        ("git clean -fd", [("modify", ".")]),
        ("black a.py", [("modify", "a.py")]),
        ("ruff check --fix a.py src", [("modify", "a.py")]),
        ("npx prettier --write a.ts", [("modify", "a.ts")]),
        ("gofmt -w a.go", [("modify", "a.go")]),
        ("gofmt -d a.go", []),
        ("djlint a.html", []),
        ("djlint --reformat a.html", [("modify", "a.html")]),
        ("curl -sSLo a.tgz http://x/y", [("create", "a.tgz")]),
        ("wget http://x/y.tgz?z=1", [("create", "y.tgz")]),
        ("ed -s a.py <<'EOF'\n1d\nw\nq\nEOF", [("modify", "a.py")]),
        ("node -e \"require('fs').writeFileSync('a.js', 'x')\"", [("create", "a.js")]),
        ("node -e \"fs.appendFileSync('a.js', y)\"", [("modify", "a.js")]),
        ("node -e \"fs.writeFileSync('a', fs.readFileSync('a').toString().replace('x','y'))\"", [("modify", "a")]),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} +", [("modify", ".")]),
        ("pytest > /tmp/out.txt 2>&1", [("create", "/tmp/out.txt")]),
    ],
)
def test_file_tools(line: str, expected: list[tuple[str, str]]) -> None:
    assert [(c.operation, c.path) for c in edits(line)] == expected


def test_moves_tell_where_to() -> None:
    assert only("mv a.py b.py").new_path == "b.py"
    assert only("cd d && mv a.py src").new_path == "d/src/a.py"
    assert only("git mv old new").new_path == "new"
    assert [c.new_path for c in edits("mv -t d a b")] == ["d/a", "d/b"]


def test_sed_scripts_that_cannot_be_told_are_none() -> None:
    assert sed_changes("y/a/b/", extended=False) is None
    assert sed_changes("s/a", extended=False) is None
    assert sed_changes("", extended=False) == []


_PIECES = st.sampled_from(
    "sed -i s/a/b/ 's/[/' '1a\\' perl -pi -e 's{a}' cat > >> <<EOF EOF tee -a python -c 'open(1,2).write(3)' rm mv "
    "cp -t git "
    "checkout -- . stash apply patch -p1 curl -o wget -O touch f a.py x/ \n && ; | $X truncate -s 0 node -e find "
    "-exec ed".split(" ")
)


@settings(max_examples=300)
@given(st.lists(_PIECES, max_size=12).map(" ".join))
def test_edits_never_fail(line: str) -> None:
    for change in edits(line):
        assert change.path
        assert "$" not in change.path


@settings(max_examples=300)
@given(st.text("saicdy/|\\;{}[]()$^.*& 0123456789,\nbeg", max_size=40))
def test_sed_scripts_never_fail(script: str) -> None:
    sed_changes(script, extended=True)
    sed_changes(script, extended=False)
