# rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
"""Writes the labelled submissions that are ``accepted/fourier`` with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must stand in the
reference exactly once, so that a fault cannot get lost when it changes.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
HEADER = "big_integer.hpp"

# label/name -> (what stands there, what shall stand there)
MUTANTS: dict[str, tuple[str, str]] = {
    "wrong_answer/rounds-towards-zero": ("if (!rest.digits_.empty() && negative_ != other.negative_) {", "if (false) {"),
    "wrong_answer/zero-with-a-sign": ("negative_ = negative && !digits_.empty();", "negative_ = negative;"),
    "wrong_answer/loses-the-last-carry": ("  if (carry != 0) a.push_back(1);\n", ""),
    "wrong_answer/skips-the-same-object": (
        "natural::add(digits_, natural::digits(other.digits_));",
        "if (&other != this) natural::add(digits_, other.digits_);",
    ),
    "rejected/inexact-roots": ("2 * std::numbers::pi *", "2 * 3.1415926536 *"),
    "wrong_answer/one-correction": (
        "  while (compare(a, b) >= 0) {\n    subtract(a, b);\n    add(quotient, {1});\n  }\n",
        "",
    ),
    "time_limit_exceeded/products-as-on-paper": (
        "std::min(a.size(), b.size()) < kShortProduct ? short_product(a, b) : long_product(a, b)",
        "short_product(a, b)",
    ),
    "time_limit_exceeded/quotients-digit-by-digit": (
        "  if (n <= kShortQuotient || a.size() - n <= kShortQuotient) return",
        "  if (n > 0) return",
    ),
    "memory_limit_exceeded/keeps-transforms": (
        "  fourier.inverse(values);\n",
        "  fourier.inverse(values);\n  static std::vector<std::vector<complex>> cache;\n  cache.push_back(values);\n",
    ),
    "run_time_error/throws-another-exception": (
        'throw std::domain_error("division by zero")',
        'throw std::range_error("division by zero")',
    ),
    "invalid_access/looks-before-the-first": ("while (!a.empty() && a.back() == 0)", "while (a.back() == 0 && !a.empty())"),
    "compile_error/no-implicit-numbers": ("  big_integer(long long value) :", "  explicit big_integer(long long value) :"),
    "rejected/ends-the-program": ('throw std::domain_error("division by zero")', "std::exit(0)"),
}  # fmt: skip


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    whole = (PACKAGE / "submissions" / "accepted" / "fourier" / HEADER).read_text("utf-8")
    for name, (old, new) in MUTANTS.items():
        if whole.count(old) != 1:
            raise SystemExit(f"{name}: the reference holds {whole.count(old)} times, not once: {old!r}")
        target = place / name
        target.mkdir(parents=True, exist_ok=True)
        (target / HEADER).write_text(whole.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
