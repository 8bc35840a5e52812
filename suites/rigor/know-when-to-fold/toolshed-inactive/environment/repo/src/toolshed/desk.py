"""What happens at the desk."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from .errors import ShedError
from .model import REASONS, Loan, Member, Visit
from .shed import Shed


def join(shed: Shed, name: str, day: date) -> Member:
    """A new member, with an id that nobody had before."""
    known = [member.id for member in shed.members]
    known += [visit.member for visit in shed.visits]
    member = Member(max(known, default=0) + 1, name, day)
    shed.members.append(member)
    sign_in(shed, member.id, "evening", day)
    return member


def sign_in(shed: Shed, number: int, reason: str, day: date) -> None:
    """A member came through the door."""
    if reason not in REASONS:
        raise ShedError(f"{reason!r} is none of {', '.join(REASONS)}")
    shed.member(number)
    shed.visits.append(Visit(number, day, reason))


def lend(shed: Shed, number: int, tool: str, day: date) -> Loan:
    """A member takes a tool out, and is signed in.

    Raises:
        ShedError: there is no such member, or the tool is out.
    """
    holder = next((loan.member for loan in shed.loans if loan.tool == tool and loan.back is None), None)
    if holder is not None:
        raise ShedError(f"{shed.member(holder).name} has the {tool}")
    sign_in(shed, number, "loan", day)
    loan = Loan(number, tool, day)
    shed.loans.append(loan)
    return loan


def take_back(shed: Shed, tool: str, day: date) -> Loan:
    """A tool comes back, and who had it is signed in.

    Raises:
        ShedError: the tool is not out.
    """
    for place, loan in enumerate(shed.loans):
        if loan.tool == tool and loan.back is None:
            shed.loans[place] = replace(loan, back=day)
            sign_in(shed, loan.member, "return", day)
            return shed.loans[place]
    raise ShedError(f"the {tool} is not out")
