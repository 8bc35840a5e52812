# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""The booking server of Coastal Ferries: one run."""

import sys

import finding
from accounts import STAFF, Accounts
from bookings import Bookings
from lines import DAY, Lines, moment


class Server:
    def __init__(self):
        self.accounts = Accounts()
        self.lines = Lines()
        self.bookings = Bookings(self.lines)
        accounts, lines, bookings = self.accounts, self.lines, self.bookings
        self.free = {
            "enter": accounts.enter,
            "show": self.show,
            "search": lambda *words: finding.search(lines, bookings, *words),
            "change": lambda *words: finding.change(lines, bookings, *words),
        }
        self.of_all = {
            "leave": accounts.leave,
            "enrol": accounts.enrol,
            "profile": accounts.profile,
            "alter": accounts.alter,
            "book": bookings.book,
            "bookings": bookings.list,
            "refund": bookings.refund,
        }
        self.of_staff = {
            "draft": lines.draft,
            "scrap": lines.scrap,
            "launch": lines.launch,
            "cancel": self.cancel,
            "manifest": self.manifest,
        }

    def save(self):
        for part in (self.accounts, self.lines, self.bookings):
            part.save()

    def answer(self, words):
        if not words[0].startswith("@"):
            return self.free[words[0]](*words[1:])
        actor = self.accounts.numbers.get(words[0][1:])
        if actor not in self.accounts.present:
            return None
        if words[1] in self.of_all:
            return self.of_all[words[1]](actor, *words[2:])
        if self.accounts.rank(actor) < STAFF:
            return None
        return self.of_staff[words[1]](*words[2:])

    def cancel(self, name, day):
        line = self.lines.sailing(name, day)
        return None if line is None else self.bookings.cancel(line, int(day))

    def manifest(self, name, day):
        line = self.lines.sailing(name, day)
        return None if line is None else self.bookings.manifest(line, int(day), self.accounts)

    def show(self, name, word):
        line, day = self.lines.by_name.get(name), int(word)
        if line is None or not line.takes_place(day):
            return None
        rows, end = [f"{name} {line.berths} {'launched' if line.launched else 'draft'}"], len(line.ports) - 1
        for port, place in line.ports.items():
            comes = moment(day * DAY + line.comes[place]) if place else "-"
            goes = moment(day * DAY + line.goes[place]) if place < end else "-"
            free = self.bookings.free(line, day, place, place + 1) if place < end else "-"
            rows.append(f"{port} {comes} {goes} {line.costs[place]} {free}")
        return rows


def main():
    server, out = Server(), []
    for text in sys.stdin:
        words = text.split()
        if words == ["stop"]:
            break
        found = server.answer(words)
        if found is None:
            out.append("refused")
        elif isinstance(found, str):
            out.append(found)
        else:
            out += found
        if len(out) > 10_000:
            out.append("")
            sys.stdout.write("\n".join(out))
            out.clear()
    out.append("")
    sys.stdout.write("\n".join(out))
    server.save()


if __name__ == "__main__":
    main()
