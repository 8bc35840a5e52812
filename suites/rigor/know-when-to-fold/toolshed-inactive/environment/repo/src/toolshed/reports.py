"""What can be printed; every report is a list of lines."""

from __future__ import annotations

from .shed import Shed
from .tables import shown


def members(shed: Shed) -> list[str]:
    """The list that lies at the desk."""
    return [f"{member.id:>4}  {member.name}" for member in shed.members]


def out(shed: Shed) -> list[str]:
    """The tools that are out, those that have been out longest first."""
    loans = sorted((loan for loan in shed.loans if loan.back is None), key=lambda loan: (loan.out, loan.tool))
    return [f"{shown(loan.out)}  {loan.tool}: {shed.member(loan.member).name}" for loan in loans]


def history(shed: Shed, tool: str) -> list[str]:
    """Who had a tool, and when."""
    loans = [loan for loan in shed.loans if loan.tool == tool]
    return [f"{shown(loan.out)} to {shown(loan.back) or 'now'}  {shed.member(loan.member).name}" for loan in loans]


def overview(shed: Shed) -> list[str]:
    """Every member with the day of the last visit and of the last loan, by name."""
    lines = [f"{'member':24}  {'joined':10}  {'last visit':10}  {'last loan':10}"]
    for member in sorted(shed.members, key=lambda member: (member.name, member.id)):
        visit, loan = shown(shed.last_visit(member.id)) or "-", shown(shed.last_loan(member.id)) or "-"
        lines.append(f"{member.name:24}  {shown(member.joined)}  {visit:10}  {loan:10}")
    return lines


def year(shed: Shed, number: int) -> list[str]:
    """The figures of a year for the yearly report."""
    visits = [visit for visit in shed.visits if visit.day.year == number]
    loans = [loan for loan in shed.loans if loan.out.year == number]
    return [
        f"visits: {len(visits)}, of {len({visit.member for visit in visits})} people",
        f"loans: {len(loans)}, to {len({loan.member for loan in loans})} people",
        f"tools lent: {len({loan.tool for loan in loans})}",
    ]
