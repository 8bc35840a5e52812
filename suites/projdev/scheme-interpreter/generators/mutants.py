# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Writes the labelled submissions that are ``accepted/tree-walker`` with one fault each, as archives: the package stays small.

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
REFERENCE = PACKAGE / "submissions" / "accepted" / "tree-walker"
NODE, ANALYZE, MEMORY, MAIN = "src/node.cpp", "src/analyze.cpp", "src/memory.cpp", "src/main.cpp"
ARITHMETIC, DATA = "src/arithmetic.cpp", "src/data.cpp"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/definitions-are-global": (
        (ANALYZE, "  if (names.empty()) return sequence(parts, first, scope);\n  return with_unset(", "  if (true) return sequence(parts, first, scope);\n  return with_unset("),
        (ANALYZE, "  if (scope != nullptr) return assignment(name, value, scope);\n  return new SetGlobal(name, value, true);", "  return new SetGlobal(name, value, true);"),
    ),
    "wrong_answer/arguments-from-the-right": (
        (NODE, "for (int i = 0; i < count; ++i) arguments[i] = run(", "for (int i = count; i-- > 0;) arguments[i] = run("),
    ),
    "wrong_answer/sums-wrap-around": (
        (ARITHMETIC, "overflow(__builtin_add_overflow(sum, n[i].number, &sum));", "(void)__builtin_add_overflow(sum, n[i].number, &sum);"),
    ),
    "wrong_answer/syntax-found-late": (
        (ANALYZE, "const Node* if_(const Parts& parts, Scope scope) {\n", "const Node* if_(const Parts& parts, Scope scope) {\n  if (parts.size() < 3) return new Call(new Constant(symbol(\"%error\").name->value), {constant(string(\"bad syntax\"))});\n"),
    ),
    "wrong_answer/ends-at-the-first-error": (
        (MAIN, "      answer(uncaught(raised.value));\n", "      answer(uncaught(raised.value));\n      return;\n"),
    ),
    "wrong_answer/guard-swallows": (
        (NODE, "Value Reraise::evaluate(Value variables) const { throw Raised{slot(variables, 0)}; }", "Value Reraise::evaluate(Value) const { return kNone; }"),
    ),
    "wrong_answer/promise-computed-again": (("src/control.cpp", "    if (!promise.first.truth()) promise.second = value;\n    promise.first = kTrue;\n", "    return value;\n"),),
    "wrong_answer/joins-lines": ((MAIN, "  if (!output.empty() && output.back() != '\\n') output += '\\n';\n", ""),),
    "presentation_error/blank-lines": ((MAIN, "  output += line + '\\n';\n", '  output += line + "\\n\\n";\n'),),
    "time_limit_exceeded/copies-vectors": (
        (DATA, "  std::vector<Value>& all = items(a[0]);\n", "  std::vector<Value> changed(items(a[0]));\n  std::vector<Value>& all = *a[0].cell->items;\n  all.swap(changed);\n"),
    ),
    "memory_limit_exceeded/never-collects": ((MEMORY, "    collect();\n  }\n  Cell* cell", "    if (free_cells.empty()) add_chunk();\n  }\n  Cell* cell"),),
    "run_time_error/no-tail-calls": (
        (NODE, "      next_variables = bind(lambda, procedure.cell->second, arguments, count);\n      next_body = lambda.body;\n      return Value(Type::tail);", "      Value inner = bind(lambda, procedure.cell->second, arguments, count);\n      Value value = run(lambda.body, inner);\n      if (value.type == Type::tail) next_body = lambda.body;\n      return value;"),
    ),
    "run_time_error/vectors-without-bounds": (
        (DATA, "  in_range(at >= 0 && at < static_cast<std::int64_t>(all.size()));\n  return all[static_cast<std::size_t>(at)];", "  return all.at(static_cast<std::size_t>(at));"),
    ),
    "compile_error/file-not-committed": (
        ("CMakeLists.txt", "add_executable(code ${SOURCES})", "add_executable(code ${SOURCES} src/symbols.cpp)"),
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
