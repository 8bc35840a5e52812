# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Accounts, by number; the rules of who may see and change whom."""

import json
import os

FILE = "accounts.json"
STAFF = 5


class Accounts:
    def __init__(self):
        self.rows = [["master", "master", "Master", 9]]
        if os.path.exists(FILE):
            with open(FILE, encoding="ascii") as file:
                self.rows = json.load(file)
        self.numbers = {row[0]: number for number, row in enumerate(self.rows)}
        self.present = set()

    def save(self):
        with open(FILE, "w", encoding="ascii") as file:
            json.dump(self.rows, file, separators=(",", ":"))

    def rank(self, number):
        return self.rows[number][3]

    def name(self, number):
        return self.rows[number][0]

    def enter(self, name, password):
        number = self.numbers.get(name)
        if number is None or number in self.present or self.rows[number][1] != password:
            return None
        self.present.add(number)
        return "ok"

    def leave(self, actor):
        self.present.discard(actor)
        return "ok"

    def enrol(self, actor, name, password, label, rank):
        if name in self.numbers or int(rank) >= self.rank(actor):
            return None
        self.numbers[name] = len(self.rows)
        self.rows.append([name, password, label, int(rank)])
        return "ok"

    def _below(self, actor, name):
        number = self.numbers.get(name)
        if number is None or number == actor or self.rank(number) < self.rank(actor):
            return number
        return None

    def profile(self, actor, name):
        number = self._below(actor, name)
        if number is None:
            return None
        found, _, label, rank = self.rows[number]
        return f"{found} {label} {rank}"

    def alter(self, actor, name, *fields):
        number = self._below(actor, name)
        if number is None:
            return None
        row = self.rows[number].copy()
        for field in fields:
            key, _, value = field.partition("=")
            if key == "rank":
                if int(value) >= self.rank(actor):
                    return None
                row[3] = int(value)
            else:
                row[1 if key == "password" else 2] = value
        self.rows[number] = row
        return f"{row[0]} {row[2]} {row[3]}"
