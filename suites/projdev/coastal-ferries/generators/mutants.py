# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Writes the labelled submissions that are the reference (``accepted/pages-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must be in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "pages-cpp"
ACCOUNTS, FLEET, FLEET_TYPES = "src/ferries/accounts.cpp", "src/ferries/fleet.cpp", "src/ferries/fleet.hpp"
BOOKINGS, BOOKING_TYPES = "src/ferries/bookings.cpp", "src/ferries/bookings.hpp"
CONNECTIONS, COMMANDS, MAIN = "src/ferries/connections.cpp", "src/ferries/commands.cpp", "src/main.cpp"

# label/name -> (file, the text, its replacement)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/equals-see-each-other": (
        (ACCOUNTS, "*number != actor && get(*number).rank >= get(actor).rank", "get(*number).rank > get(actor).rank"),
    ),
    "wrong_answer/half-of-a-refused-alteration": (
        (
            ACCOUNTS,
            "  if (!number || (changes.rank && *changes.rank >= get(actor).rank)) return std::nullopt;\n",
            "  if (!number) return std::nullopt;\n",
        ),
        (
            ACCOUNTS,
            "  if (changes.rank) record.rank = static_cast<std::uint8_t>(*changes.rank);\n",
            "  if (changes.rank && *changes.rank >= get(actor).rank) {\n    table_.put(*number, record);\n"
            "    return std::nullopt;\n  }\n  if (changes.rank) record.rank = static_cast<std::uint8_t>(*changes.rank);\n",
        ),
    ),
    "wrong_answer/day-of-the-sailing": (
        (FLEET_TYPES, "const std::uint32_t later = departure[place] / kDayMinutes;", "const std::uint32_t later = 0 * place;"),
    ),
    "wrong_answer/ties-by-launch": (
        (CONNECTIONS, "    return fleet_[a.line].name.view() < fleet_[b.line].name.view();", "    return a.line < b.line;"),
    ),
    "wrong_answer/the-last-leg-is-not-taken": (
        (
            BOOKINGS,
            "void take(Sailing& sailing, const Booking& booking) {\n  for (std::uint32_t leg = booking.first; leg < booking.last; ++leg) {",
            "void take(Sailing& sailing, const Booking& booking) {\n"
            "  for (std::uint32_t leg = booking.first; leg + 1 < booking.last || leg == booking.first; ++leg) {",
        ),
    ),
    "wrong_answer/money-of-32-bits": (
        (
            BOOKINGS,
            "return std::uint64_t{line.price[booking.last] - line.price[booking.first]} * booking.berths;",
            "return (line.price[booking.last] - line.price[booking.first]) * booking.berths;",
        ),
    ),
    "wrong_answer/queue-stops-at-the-first": (
        (BOOKINGS, "      ++served;\n    }\n", "      ++served;\n    } else {\n      break;\n    }\n"),
    ),
    "wrong_answer/nobody-overtakes": (
        (BOOKINGS, "const bool booked = fits(at, booking);", "const bool booked = fits(at, booking) && at.first_waiting == 0;"),
    ),
    "wrong_answer/waiting-berths-come-free": (
        (BOOKINGS, "  if (booked) {\n    give_back(at, booking);", "  if (booked || at.used != 0) {\n    give_back(at, booking);"),
    ),
    "wrong_answer/cancelled-can-be-refunded": (
        (BOOKINGS, "    booking.state = State::cancelled;\n    put(number, booking);\n", ""),
    ),
    "wrong_answer/changes-on-the-same-day": (
        (CONNECTIONS, "  if (!day) return std::nullopt;\n", "  if (!day || *day != earliest) return std::nullopt;\n"),
    ),
    "wrong_answer/changes-without-a-margin": ((CONNECTIONS, "arrives(one) + kLeastChange, departure", "arrives(one), departure"),),
    "wrong_answer/changes-to-cancelled-sailings": (
        (CONNECTIONS, "const auto day = following.next_sailing(earliest);",
         "auto day = following.next_sailing(earliest);\n"
         "  if (earliest >= following.first_day && earliest <= following.last_day) day = earliest;"),
    ),
    "wrong_answer/duration-without-waiting": (
        (
            CONNECTIONS,
            "arrives(two) - leaves(one)};",
            "arrives(one) - leaves(one) + arrives(two) - leaves(two)};",
        ),
    ),
    "wrong_answer/drafts-are-launched-by-a-restart": (
        (FLEET, "if (lines_[number].stage == Stage::launched) add_calls(number);",
         "if (lines_[number].stage == Stage::draft) lines_[number].stage = Stage::launched;\n"
         "    if (lines_[number].stage == Stage::launched) add_calls(number);"),
    ),
    "wrong_answer/queue-is-lost": (
        (BOOKINGS, "  Sailing found = sailings_.get(line * kDays + day);\n",
         "  Sailing found = sailings_.get(line * kDays + day);\n"
         "  if (found.last_waiting <= known_) found.first_waiting = found.last_waiting = 0;\n"),
        (BOOKINGS, "      fleet_(fleet) {}", "      fleet_(fleet),\n      known_(count_.value()) {}"),
        (BOOKING_TYPES, "  const Fleet& fleet_;\n", "  const Fleet& fleet_;\n  std::uint32_t known_;\n"),
    ),
    "wrong_answer/saves-only-at-stop": (
        (MAIN, 'while (std::getline(std::cin, line) && line != "stop") {\n    commands.answer(ferries::Words(line));\n  }',
         'while (std::getline(std::cin, line)) {\n    if (line == "stop") cache.flush();\n'
         '    if (line == "stop") break;\n    commands.answer(ferries::Words(line));\n  }'),
        (MAIN, "  out.flush();\n  cache.flush();\n", "  out.flush();\n"),
    ),
    "wrong_answer/remembers-who-was-there": (
        (ACCOUNTS, "present_.resize(count_.value(), false);", "present_.resize(count_.value(), true);"),
    ),
    "presentation_error/two-spaces": ((COMMANDS, '  out_ << "found " <<', '  out_ << "found  " <<'),),
    "time_limit_exceeded/searches-all-bookings": (
        (
            COMMANDS,
            "  for (std::uint32_t link = newest; link != 0 && count < most; link = bookings_.get(link).older) ++count;\n",
            "  for (std::uint32_t link = newest; link != 0; --link) {\n"
            "    if (bookings_.get(link).account == actor) ++count;\n  }\n"
            "  if (count > most) count = most;\n",
        ),
    ),
    "time_limit_exceeded/counts-free-berths-again": (
        (BOOKINGS, "  Sailing found = sailings_.get(line * kDays + day);\n",
         "  Sailing found = sailings_.get(line * kDays + day);\n"
         "  std::uint32_t taken = 0;\n"
         "  for (std::uint32_t number = 1; number <= count_.value(); ++number) {\n"
         "    const Booking one = get(number);\n"
         "    taken += one.line == line && one.day == day && one.state == State::booked ? one.berths : 0U;\n"
         "  }\n"
         "  if (taken != 0) found.used = 1;\n"),
    ),
    "memory_limit_exceeded/everything-in-memory": (
        (MAIN, "constexpr std::uint32_t kFrames = 3072;", "constexpr std::uint32_t kFrames = 1 << 16;"),
        (BOOKING_TYPES, "  std::uint16_t free[kMostPorts - 1] = {};", "  std::uint32_t free[kMostPorts - 1] = {};"),
        (BOOKINGS, "for (std::uint16_t& berths : found.free)", "for (std::uint32_t& berths : found.free)"),
        (BOOKING_TYPES, "  std::uint32_t waits_before = 0, waits_after = 0;\n};",
         "  std::uint32_t waits_before = 0, waits_after = 0;\n  Text<16> line_name, from, to;\n};"),
    ),
    "disk_limit_exceeded/file-for-each-line": (
        (FLEET, "  add_calls(line);\n  store(line);\n", "  add_calls(line);\n  store(line);\n  std::ofstream(std::string(lines_[line].name.view()) + \".table\") << line;\n"),
        (FLEET, '#include "base/words.hpp"\n', '#include <fstream>\n#include <string>\n\n#include "base/words.hpp"\n'),
    ),
    "run_time_error/unknown-line": (
        (COMMANDS, "  return line && fleet_[*line].stage == stage ? line : std::nullopt;",
         "  return fleet_[line.value()].stage == stage ? line : std::nullopt;"),
    ),
    "run_time_error/refuses-its-files": (
        ("src/storage/page_cache.cpp", "O_RDWR | O_CREAT | O_CLOEXEC", "O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC"),
    ),
    "compile_error/file-not-committed": (("CMakeLists.txt", "src/ferries/commands.cpp)", "src/ferries/commands.cpp src/ferries/dates.cpp)"),),
    "compile_error/another-target": (
        ("CMakeLists.txt", "add_executable(code ", "add_executable(ferries "),
        ("CMakeLists.txt", "directories(code ", "directories(ferries "),
        ("CMakeLists.txt", "options(code ", "options(ferries "),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target, ignore=shutil.ignore_patterns("build"))
        for file, old, new in changes:
            text = (target / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {file} contains this {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
