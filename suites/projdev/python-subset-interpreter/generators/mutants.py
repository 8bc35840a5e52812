# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Writes the labelled submissions that are ``accepted/resolved-tree`` with one fault each, as archives: the package stays small.

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
REFERENCE = PACKAGE / "submissions" / "accepted" / "resolved-tree"
ARITHMETIC, BIG, BUILTINS, EXPRESSIONS = (
    "src/arithmetic.cpp",
    "src/big_integer.cpp",
    "src/builtins.cpp",
    "src/expressions.cpp",
)
FUNCTION, SEQUENCES, TEXT, VALUE = "src/function.cpp", "src/sequences.cpp", "src/text.cpp", "src/value.cpp"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/quotients-towards-zero": (
        (ARITHMETIC, "left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient", "quotient"),
    ),
    "wrong_answer/truth-is-one": (
        (
            VALUE,
            "  if (left.type() != right.type()) return false;\n  switch",
            "  if (left.is(Type::truth) && right.is(Type::small)) return right.small() == (left.truth() ? 1 : 0);\n"
            "  if (left.type() != right.type()) return false;\n  switch",
        ),
    ),
    "wrong_answer/keeps-defaults": (
        ("src/function.hpp", "  std::vector<Ref<Function>> defaults;", "  mutable Values kept;\n  std::vector<Ref<Function>> defaults;"),
        (
            FUNCTION,
            "      locals[i] = run(machine, missing, Values(missing.code->locals));",
            "      if (missing.kept.empty()) missing.kept.push_back(run(machine, missing, Values(missing.code->locals)));\n"
            "      locals[i] = missing.kept[0];",
        ),
    ),
    "wrong_answer/closures-copy-variables": (
        (
            EXPRESSIONS,
            "  for (Place place : code->captured) function->captured.push_back(shared(frame, place));",
            "  for (Place place : code->captured) {\n"
            "    function->captured.emplace_back(new Cell);\n"
            "    function->captured.back()->value = shared(frame, place)->value;\n"
            "  }",
        ),
    ),
    "wrong_answer/parts-backwards-stop-early": (
        (SEQUENCES, "  const std::int64_t lowest = by > 0 ? 0 : -1;", "  const std::int64_t lowest = 0;"),
    ),
    "wrong_answer/reverse-turns-equal-ones": (
        (BUILTINS, "    return down ? order(right.first, left.first) < 0 : order(left.first, right.first) < 0;", "    return order(left.first, right.first) < 0;"),
        (BUILTINS, "[down](const auto& left", "[](const auto& left"),
        (BUILTINS, "  for (auto& [by, value] : keyed) result", "  if (down) std::reverse(keyed.begin(), keyed.end());\n  for (auto& [by, value] : keyed) result"),
    ),
    "wrong_answer/floats-with-17-digits": (
        (TEXT, "value, std::chars_format::scientific);", "value, std::chars_format::scientific, 16);"),
    ),
    "wrong_answer/compares-as-floats": (
        (
            VALUE,
            "  if (integer.is(Type::big)) {\n",
            "  if (integer.is(Type::small)) {\n"
            "    return order_numbers(Value::real(static_cast<double>(integer.small())), Value::real(real));\n"
            "  }\n"
            "  if (integer.is(Type::big)) {\n",
        ),
        (VALUE, "// An integer beside a float", "std::strong_ordering order_numbers(const Value& left, const Value& right);\n\n// An integer beside a float"),
    ),
    "wrong_answer/wraps-at-64-bits": ((VALUE, "  if (value.fits()) return integer(value.small());\n", "  if (value.fits() || true) return integer(value.small());\n"),),
    "wrong_answer/big-quotients-towards-zero": (
        (BIG, "  if (!remainder.is_zero() && negative_ != right.negative_) {", "  if (remainder.is_zero() && negative_ != right.negative_ && false) {"),
    ),
    "wrong_answer/outermost-line": (("src/statements.cpp", "    if (failure.line == 0) failure.line", "    failure.line"),),
    "wrong_answer/second-value-replaces-the-first": ((FUNCTION, '    if (!place.is(Type::unset)) fail("wrong arguments");\n', ""),),
    "presentation_error/message-in-an-open-line": (("src/output.hpp", '(line_is_open_ ? "\\n" : "") + text', '(line_is_open_ ? " " : "") + text'),),
    "time_limit_exceeded/powers-by-multiplying": (
        (
            BIG,
            "  return powered(exponent, [&](const BigInteger& value) { return value.divided(modulus).second; });",
            "  const BigInteger one(std::int64_t{1});\n"
            "  BigInteger result = one.divided(modulus).second;\n"
            "  for (BigInteger i; i < exponent; i = i + one) result = (result * *this).divided(modulus).second;\n"
            "  return result;",
        ),
    ),
    "memory_limit_exceeded/lists-ranges": (
        (
            VALUE,
            "    case Type::range: size_ = sequence_.range().size(); break;",
            "    case Type::range: {\n"
            "      Values all;\n"
            "      size_ = sequence_.range().size();\n"
            "      for (std::int64_t i = 0; i < size_; ++i) all.push_back(Value::integer(sequence_.range().start + i * sequence_.range().step));\n"
            "      sequence_ = Value::tuple(std::move(all));\n"
            "      break;\n"
            "    }",
        ),
    ),
    "rejected/calls-without-a-limit": ((FUNCTION, '    if (machine_.calls == kMostCalls) fail("too many calls");\n', ""),),
    "run_time_error/index-throws": (
        (SEQUENCES, '  if (index.is(Type::big) || index.small() >= size || index.small() < -size) fail("index out of range");\n', ""),
        (SEQUENCES, "return sequence.elements()[at];", "return sequence.elements().at(at);"),
        (SEQUENCES, "std::string(1, sequence.text()[at])", "std::string(1, sequence.text().at(at))"),
    ),
    "compile_error/file-not-committed": (
        ("CMakeLists.txt", "add_executable(code ${SOURCES})", "add_executable(code ${SOURCES} src/frames.cpp)"),
    ),
    "compile_error/another-target": (("CMakeLists.txt", "add_executable(code ", "add_executable(interpreter "), ("CMakeLists.txt", "options(code ", "options(interpreter "),
        ("CMakeLists.txt", "headers(code ", "headers(interpreter ")),
}  # fmt: skip

# Those that are no changes of the reference.
OTHERS = {
    "wrong_answer/execs-the-text": {
        "main.py": """import sys

try:
    exec(compile(sys.stdin.read(), "program", "exec"), {"sorted": lambda *a, **k: tuple(sorted(*a, **k))})
except Exception as error:
    line = error.__traceback__
    while line.tb_next:
        line = line.tb_next
    print(f"error in line {line.tb_lineno}: {error}")
"""
    },
}


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
        path.relative_to(REFERENCE).as_posix(): path.read_text("utf-8")
        for path in REFERENCE.rglob("*")
        if path.is_file()
    }
    made = dict(OTHERS)
    for name, changes in MUTANTS.items():
        files = dict(whole)
        for file, old, new in changes:
            if files[file].count(old) != 1:
                raise SystemExit(f"{name}: {file} holds {files[file].count(old)} times, not once: {old!r}")
            files[file] = files[file].replace(old, new)
        made[name] = files
    for name, files in made.items():
        target = place / f"{name}.tar.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(archived(files), 9, mtime=0))


if __name__ == "__main__":
    main()
