"""All that is known, as one object, and the files that it lies in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from . import tables
from .errors import ShedError
from .model import REASONS, Loan, Member, Visit

MEMBERS = ("id", "name", "joined")
VISITS = ("member", "day", "reason")
LOANS = ("member", "tool", "out", "back")


@dataclass
class Shed:
    """Members in order of the id; visits and loans in the order in which they were typed in."""

    members: list[Member] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    loans: list[Loan] = field(default_factory=list)

    def member(self, number: int) -> Member:
        """The member with an id.

        Raises:
            ShedError: there is none.
        """
        for member in self.members:
            if member.id == number:
                return member
        raise ShedError(f"there is no member {number}")

    def last_visit(self, number: int) -> date | None:
        """The day on which a member last came, for whatever reason."""
        return max((visit.day for visit in self.visits if visit.member == number), default=None)

    def last_loan(self, number: int) -> date | None:
        """The day on which a member last took a tool out."""
        return max((loan.out for loan in self.loans if loan.member == number), default=None)

    def tools_of(self, number: int) -> list[str]:
        """The tools that a member has at present."""
        return sorted(loan.tool for loan in self.loans if loan.member == number and loan.back is None)


def load(directory: Path) -> Shed:
    """Read a directory of files; see docs/files.md."""
    return Shed(
        sorted(tables.read(directory / "members.csv", MEMBERS, _member), key=lambda member: member.id),
        tables.read(directory / "visits.csv", VISITS, _visit),
        tables.read(directory / "loans.csv", LOANS, _loan),
    )


def save(shed: Shed, directory: Path) -> None:
    """Write all files anew."""
    tables.write(directory / "members.csv", MEMBERS, [(m.id, m.name, m.joined) for m in shed.members])
    tables.write(directory / "visits.csv", VISITS, [(v.member, v.day, v.reason) for v in shed.visits])
    rows = [(loan.member, loan.tool, loan.out, tables.shown(loan.back)) for loan in shed.loans]
    tables.write(directory / "loans.csv", LOANS, rows)


def _member(row: tables.Row) -> Member:
    return Member(int(row["id"]), row["name"], tables.day(row["joined"]))


def _visit(row: tables.Row) -> Visit:
    if row["reason"] not in REASONS:
        raise ValueError(f"{row['reason']!r} is none of {', '.join(REASONS)}")
    return Visit(int(row["member"]), tables.day(row["day"]), row["reason"])


def _loan(row: tables.Row) -> Loan:
    return Loan(int(row["member"]), row["tool"], tables.day(row["out"]), tables.optional_day(row["back"]))
