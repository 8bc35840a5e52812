# rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
"""Writes the labelled submissions that are the reference (``accepted/bitmaps``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced must be in the
reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "bitmaps"
FIRST = """  long number = 0;
  for (int level = LEVELS - 1; level >= 0; --level) {
    number = number * WORD + __builtin_ctzll(set->level[level][number]);
  }
  return number;
"""

# label/name -> (what is there, what is to be there) in pages.c
MUTANTS: dict[str, tuple[tuple[str, str], ...]] = {
    "wrong_answer/takes-the-highest": (
        (
            FIRST,
            FIRST.replace(
                "__builtin_ctzll(set->level[level][number])", "(WORD - 1 - __builtin_clzll(set->level[level][number]))"
            ),
        ),
    ),
    "wrong_answer/joins-once": (
        (
            "  while (order < ZONE_MAX_ORDER) {\n    long buddy",
            "  for (int once = 0; once < 1 && order < ZONE_MAX_ORDER; ++once) {\n    long buddy",
        ),
    ),
    "wrong_answer/returns-the-joined-order": (("  return given;\n", "  return order;\n"),),
    "wrong_answer/whole-blocks-only": (
        (
            "    while (first % (1L << order) != 0 || first + (1L << order) > frames) --order;\n",
            "    while (order > 0 && (1L << order) > frames) --order;\n    if (first + (1L << order) > frames) {\n"
            "      for (; first < frames; ++first) zone->heads[first] = TAKEN;\n      break;\n    }\n",
        ),
    ),
    "wrong_answer/shrink-loses-the-rest": (
        (
            "  split(zone, first, before, first, order);\n",
            "  zone->heads[first] = (unsigned char)(TAKEN | order);\n"
            "  if (order < before) add_free(zone, first + (1L << order), order);\n"
            "  for (int lost = order + 1; lost < before; ++lost) zone->heads[first + (1L << lost)] = (unsigned char)(TAKEN | lost);\n",
        ),
    ),
    "wrong_answer/largest-order-left-out": (
        ("for (int found = order; found < ORDERS; ++found)", "for (int found = order; found < ZONE_MAX_ORDER; ++found)"),
    ),
    "wrong_answer/gives-from-inside": (
        (
            "  const int given = taken_order(zone, first);\n",
            "  if (first >= 0 && first < zone->frames) first = head_of(zone, first);\n"
            "  const int given = taken_order(zone, first);\n",
        ),
    ),
    "wrong_answer/one-zone-for-all": (
        ("struct zone *zone_open(long", "static struct zone *current;\n\nstruct zone *zone_open(long"),
        ("  zone->frames = frames;\n", "  zone->frames = frames;\n  current = zone;\n"),
        (
            "  if (!valid_order(order)) return ZONE_BAD;\n  for (int found",
            "  if (!valid_order(order)) return ZONE_BAD;\n  zone = current;\n  for (int found",
        ),
    ),
    "time_limit_exceeded/looks-at-every-frame": (
        (
            FIRST,
            "  long number = 0;\n"
            "  while (!(set->level[0][number / WORD] >> (number % WORD) & 1)) ++number;\n"
            "  return number;\n",
        ),
    ),
    "memory_limit_exceeded/table-for-all-orders": (
        ("#include <string.h>\n", "#include <string.h>\n#include <stdlib.h>\n"),
        (
            "  zone->frames = frames;\n",
            "  zone->frames = frames;\n"
            "  char *table = malloc((size_t)frames * ORDERS * 32);\n"
            "  if (table == NULL) abort();\n"
            "  for (size_t i = 0; i < (size_t)frames * ORDERS * 32; i += 512) table[i] = 1;\n",
        ),
    ),
    "run_time_error/looks-beyond-the-zone": (
        ("  if (frame < 0 || frame >= zone->frames) return ZONE_BAD;\n", ""),
        ("  if (first < 0 || first >= zone->frames || !(", "  if (!("),
    ),
    "run_time_error/writes-beside-its-records": (
        ("  zone->heads = (unsigned char *)(room + words);\n", "  zone->heads = (unsigned char *)records + bytes + 8 - frames;\n  memset(zone->heads, 0, (size_t)frames);\n"),
    ),
    "compile_error/another-signature": (("int zone_give(struct zone *zone, long first) {", "int zone_give(struct zone *zone, long first, int known) {\n  (void)known;"),),
    "compile_error/missing-function": (
        ("long zone_count(const struct zone *zone, int order) {", "static inline long count_of(const struct zone *zone, int order) {"),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        shutil.copy(REFERENCE / "CMakeLists.txt", target)
        text = (REFERENCE / "pages.c").read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise SystemExit(f"{name}: pages.c has {text.count(old)} times, not once: {old!r}")
            text = text.replace(old, new)
        (target / "pages.c").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
