# rigorbench-canary ecf4fdca-358f-4d14-bb58-275f2dfb8b72
"""Writes the labelled submissions that are the reference (``accepted/counters``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must be in the
reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "counters" / "codec.hpp"
LITERAL = "      for (int c = 0; c < format_.channels; ++c) byte_out(pixel.part[c]);\n    }\n    memory_.remember(pixel);\n"
FEED = "      if (status_ == Status::done || !take(bytes[i])) status_ = Status::corrupt;\n"

# label/name -> (what is there, what is to be there)
MUTANTS: dict[str, tuple[tuple[str, str], ...]] = {
    "wrong_answer/previous-before-above": (("run_.length > 0 && run_.length >= above_.length", "run_.length > 0"),),
    "wrong_answer/runs-of-63": (("kLongest = 64", "kLongest = 63"),),
    "wrong_answer/runs-end-with-rows": (
        ("      take(pixel);\n    }\n  }\n", "      take(pixel);\n    }\n    end_runs();\n  }\n"),
    ),
    "wrong_answer/slots-of-literals-only": ((LITERAL, LITERAL.replace("    }\n    memory_.remember(pixel);\n", "      memory_.remember(pixel);\n    }\n")),),
    "wrong_answer/prediction-rounded-up": (("+ last_.part[c]) / 2", "+ last_.part[c] + 1) / 2"),),
    "wrong_answer/checksum-not-compared": (("return number(0) == memory_.checksum();", "return true;"),),
    "wrong_answer/reserved-codes-accepted": (
        ("return byte == detail::kLiteral && wait(Part::literal, format_.channels);", "return byte != detail::kLiteral || wait(Part::literal, format_.channels);"),
    ),
    "wrong_answer/runs-beyond-the-end-cut": (
        (
            "    if (memory_.seen() + count > pixels_ || (above && !memory_.has_above())) return false;\n",
            "    if (above && !memory_.has_above()) return false;\n"
            "    if (memory_.seen() + count > pixels_) count = static_cast<std::uint32_t>(pixels_ - memory_.seen());\n",
        ),
    ),
    "wrong_answer/empty-slots-are-black": (
        ("const Pixel* slot(int index) const { return filled_[index] ? &slots_[index] : nullptr; }", "const Pixel* slot(int index) const { return &slots_[index]; }"),
    ),
    "wrong_answer/bytes-after-the-end-accepted": (
        (FEED, "      if (status_ == Status::more && !take(bytes[i])) status_ = Status::corrupt;\n"),
    ),
    "wrong_answer/above-in-the-first-row": (
        ("    if (memory_.seen() + count > pixels_ || (above && !memory_.has_above())) return false;\n", "    if (memory_.seen() + count > pixels_) return false;\n"),
    ),
    "wrong_answer/keeps-the-whole-stream": (
        ("    buffer_[used_++] = byte;\n    if (used_ == buffer_.size()) flush();\n", "    buffer_.push_back(byte);\n    ++used_;\n"),
        ("  std::array<std::uint8_t, 1024> buffer_{};\n", "  std::vector<std::uint8_t> buffer_;\n"),
    ),
    "time_limit_exceeded/erases-from-the-front": (
        (
            "    for (std::size_t i = 0; i < count && status_ != Status::corrupt; ++i) {\n" + FEED + "    }\n",
            "    waiting_.insert(waiting_.end(), bytes, bytes + count);\n"
            "    while (!waiting_.empty() && status_ != Status::corrupt) {\n"
            "      if (status_ == Status::done || !take(waiting_.front())) status_ = Status::corrupt;\n"
            "      waiting_.erase(waiting_.begin());\n"
            "    }\n",
        ),
        ("  Row row_;\n", "  Row row_;\n  std::vector<std::uint8_t> waiting_;\n"),
    ),
    "rejected/trusts-the-header": (
        ("    memory_ = detail::Memory(format_);\n", "    memory_ = detail::Memory(format_);\n    picture_.assign(pixels_ * format_.channels, 1);\n"),
        ("  Row row_;\n", "  Row row_;\n  std::vector<std::uint8_t> picture_;\n"),
    ),
    "run_time_error/throws-at-corrupt-streams": (
        (FEED, "      if (status_ == Status::done || !take(bytes[i])) throw std::runtime_error(\"corrupt\");\n"),
        ("#include <functional>\n", "#include <functional>\n#include <stdexcept>\n"),
    ),
    "invalid_access/looks-one-byte-ahead": (
        (FEED, FEED + "      ahead_ = bytes[i + 1];\n"),
        ("  Row row_;\n", "  Row row_;\n  volatile std::uint8_t ahead_ = 0;\n"),
    ),
    "compile_error/another-name": (("class Decoder {", "class decoder {"), ("explicit Decoder(Row", "explicit decoder(Row")),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        text = REFERENCE.read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise SystemExit(f"{name}: the reference has {text.count(old)} times, not once: {old!r}")
            text = text.replace(old, new)
        (target / "codec.hpp").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
