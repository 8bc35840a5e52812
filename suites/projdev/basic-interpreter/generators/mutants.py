# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""Writes the labelled submissions that are ``accepted/classes`` with one fault each, as archives: the package stays small.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must stand in the
submission exactly once, so that a fault cannot get lost when it changes.
"""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "classes"
STATEMENT, PROGRAM, PARSER, MAIN = "src/statement.cpp", "src/program.cpp", "src/parser.cpp", "src/main.cpp"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/loops-outlive-return": ((STATEMENT, "  state.loops.resize(state.subroutines.back().loops);\n", ""),),
    "wrong_answer/next-takes-any-loop": (
        (STATEMENT, "    if (state.loops[i - 1].variable == variable) return i - 1;", "    if (variable != nullptr) return i - 1;"),
    ),
    "wrong_answer/restart-keeps-the-loop": ((STATEMENT, "  state.loops.resize(loop_of(state, variable_));\n", ""),),
    "wrong_answer/renumber-changes-all-numbers": (
        (
            PROGRAM,
            "  std::vector<std::size_t> targets = parser.targets();\n",
            "  std::vector<std::size_t> targets;\n"
            "  for (std::size_t i = 0; i < tokens.size(); ++i) {\n"
            "    if (tokens[i].kind == Token::Kind::number) targets.push_back(i);\n"
            "  }\n",
        ),
    ),
    "wrong_answer/bad-line-removes-the-old-one": (
        (PROGRAM, "  lines_[number] = Line{", "  lines_.erase(number);\n  lines_[number] = Line{"),
    ),
    "wrong_answer/prints-before-it-fails": (
        (
            STATEMENT,
            "  for (const Item& item : items_) line += item.value ? std::to_string(item.value->evaluate()) : item.text;\n",
            "  for (const Item& item : items_) {\n"
            "    state.screen.print(item.value ? std::to_string(item.value->evaluate()) : item.text);\n"
            "  }\n",
        ),
    ),
    "wrong_answer/misread-message": (("src/statement.cpp", '"ARRAY EXISTS"', '"ARRAY ALREADY EXISTS"'),),
    "wrong_answer/variables-outlive-run": ((MAIN, "    names_.clear();\n    program_.arrange();", "    program_.arrange();"),),
    "wrong_answer/ends-at-the-first-error": ((MAIN, "        complain(error.message);\n", "        complain(error.message);\n        over_ = true;\n"),),
    "presentation_error/two-spaces": ((PARSER, 'items.push_back({" ", nullptr});', 'items.push_back({"  ", nullptr});'),),
    "memory_leak/loses-bad-lines": (
        (
            PARSER,
            "  StatementPtr made = statement();\n  if (token().kind != Kind::end) throw kSyntaxError;\n  return made;",
            "  Statement* made = statement().release();\n"
            "  if (token().kind != Kind::end) throw kSyntaxError;\n"
            "  return StatementPtr(made);",
        ),
    ),
    "memory_leak/loses-replaced-lines": (
        (
            PROGRAM,
            "  lines_[number] = Line{number, text, Parser(tokens, 0, names).line()};",
            "  Line made{number, text, Parser(tokens, 0, names).line()};\n"
            "  if (lines_.count(number) > 0) (void)lines_[number].statement.release();\n"
            "  lines_[number] = std::move(made);",
        ),
    ),
    "run_time_error/returns-from-nowhere": (
        (
            STATEMENT,
            '  if (state.subroutines.empty()) throw BasicError{"RETURN WITHOUT GOSUB"};\n  state.next = state.subroutines.back().back;',
            "  state.next = state.subroutines.at(state.subroutines.size() - 1).back;",
        ),
    ),
    "time_limit_exceeded/looks-at-every-line": (
        (
            PROGRAM,
            "  auto found = std::lower_bound(order_.begin(), order_.end(), number,\n"
            "                                [](const Line* line, int wanted) { return line->number < wanted; });",
            "  auto found = std::find_if(order_.begin(), order_.end(), [&](const Line* line) { return line->number >= number; });",
        ),
    ),
    "memory_limit_exceeded/arrays-of-full-size": (
        (
            STATEMENT,
            "  array_->elements.assign(static_cast<std::size_t>(size), 0);",
            "  array_->elements.assign(kLargestArray, 0);\n  array_->elements.resize(static_cast<std::size_t>(size));",
        ),
    ),
    "compile_error/file-not-committed": (
        ("CMakeLists.txt", "add_executable(code ${SOURCES})", "add_executable(code ${SOURCES} src/loops.cpp)"),
    ),
}  # fmt: skip


def archived(files: dict[str, str]) -> bytes:
    """A tar archive that depends on nothing but the files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(files.items()):
            data = text.encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    whole = {
        path.relative_to(REFERENCE).as_posix(): path.read_text("utf-8") for path in REFERENCE.rglob("*") if path.is_file()
    }
    for name, changes in MUTANTS.items():
        files = dict(whole)
        for file, old, new in changes:
            if files[file].count(old) != 1:
                raise SystemExit(f"{name}: {file} holds {files[file].count(old)} times, not once: {old!r}")
            files[file] = files[file].replace(old, new)
        target = place / f"{name}.tar.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(archived(files), 9, mtime=0))


if __name__ == "__main__":
    main()
