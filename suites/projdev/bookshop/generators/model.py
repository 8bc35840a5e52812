# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""The bookshop as the statement defines it, in plain lists and dictionaries."""

from __future__ import annotations

import re

IDENTIFIER = re.compile(r"[A-Za-z0-9_]{1,30}").fullmatch
NAME = re.compile(r"[!-~]{1,30}").fullmatch
CODE = re.compile(r"[!-~]{1,20}").fullmatch
TEXT = re.compile(r'[!#-~]{1,60}').fullmatch
MONEY = re.compile(r"(?=.{1,10}\Z)([0-9]+)(?:\.([0-9]{1,2}))?").fullmatch
COUNT = re.compile(r"[1-9][0-9]{0,8}").fullmatch


class Refused(Exception):
    pass


def need(condition: object) -> None:
    if not condition:
        raise Refused


def cents(word: str) -> int:
    found = MONEY(word)
    need(found)
    assert found is not None
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def count(word: str) -> int:
    need(COUNT(word))
    return int(word)


def money(value: int) -> str:
    return f"{value // 100}.{value % 100:02d}"


class Book:
    def __init__(self, code: str) -> None:
        self.code, self.title, self.author, self.keys = code, "", "", ""
        self.price, self.stock = 0, 0

    def line(self) -> str:
        return "\t".join([self.code, self.title, self.author, self.keys, money(self.price), str(self.stock)])


class Shop:
    """What survives a run."""

    def __init__(self) -> None:
        self.accounts: dict[str, list] = {"owner": ["owner", 3, "owner"]}  # password, rank, name
        self.books: dict[str, Book] = {}
        self.found: dict[tuple[str, str], dict[str, Book]] = {}  # (field, value) -> books by code
        self.earned, self.spent = [0], [0]  # sums up to each deal

    def values(self, book: Book) -> list[tuple[str, str]]:
        keys = [("key", key) for key in book.keys.split("|")] if book.keys else []
        return [*keys, *[pair for pair in (("title", book.title), ("author", book.author)) if pair[1]]]

    def put(self, book: Book) -> None:
        self.books[book.code] = book
        for pair in self.values(book):
            self.found.setdefault(pair, {})[book.code] = book

    def take(self, book: Book) -> None:
        del self.books[book.code]
        for pair in self.values(book):
            del self.found[pair][book.code]

    def deal(self, earned: int, spent: int) -> None:
        self.earned.append(self.earned[-1] + earned)
        self.spent.append(self.spent[-1] + spent)


class Run:
    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.stack: list[list] = []  # [ID, chosen book]

    def rank(self) -> int:
        return self.shop.accounts[self.stack[-1][0]][1] if self.stack else 0

    def answer(self, line: str) -> list[str]:
        words = line.split()
        if not words:
            return []
        command = getattr(self, f"do_{words[0]}", None) if words[0].isalpha() else None
        try:
            need(command)
            return command(*words[1:])
        except (Refused, TypeError):
            return ["refused"]

    def account(self, name: str) -> list:
        need(IDENTIFIER(name) and name in self.shop.accounts)
        return self.shop.accounts[name]

    def do_login(self, name: str, *rest: str) -> list[str]:
        need(len(rest) < 2)
        account = self.account(name)
        need(rest[0] == account[0] if rest else self.rank() > account[1])
        self.stack.append([name, None])
        return ["ok"]

    def do_logout(self) -> list[str]:
        need(self.stack)
        self.stack.pop()
        return ["ok"]

    def add(self, name: str, password: str, rank: int, shown: str) -> list[str]:
        need(IDENTIFIER(name) and IDENTIFIER(password) and NAME(shown) and name not in self.shop.accounts)
        self.shop.accounts[name] = [password, rank, shown]
        return ["ok"]

    def do_register(self, name: str, password: str, shown: str) -> list[str]:
        return self.add(name, password, 1, shown)

    def do_hire(self, name: str, password: str, rank: str, shown: str) -> list[str]:
        need(self.rank() >= 2 and rank in ("1", "2") and int(rank) < self.rank())
        return self.add(name, password, int(rank), shown)

    def do_password(self, name: str, *rest: str) -> list[str]:
        need(1 <= len(rest) <= 2 and self.rank() >= (1 if len(rest) == 2 else 3))
        account = self.account(name)
        need(all(map(IDENTIFIER, rest)) and (len(rest) == 1 or rest[0] == account[0]))
        account[0] = rest[-1]
        return ["ok"]

    def do_dismiss(self, name: str) -> list[str]:
        need(self.rank() >= 3)
        self.account(name)
        need(all(entry[0] != name for entry in self.stack))
        del self.shop.accounts[name]
        return ["ok"]

    def do_choose(self, code: str) -> list[str]:
        need(self.rank() >= 2 and CODE(code))
        if code not in self.shop.books:
            self.shop.put(Book(code))
        self.stack[-1][1] = self.shop.books[code]
        return ["ok"]

    def chosen(self) -> Book:
        need(self.rank() >= 2 and self.stack[-1][1])
        return self.stack[-1][1]

    def do_change(self, *words: str) -> list[str]:
        book = self.chosen()
        fields = dict(word.split("=", 1) for word in words if "=" in word)
        need(words and len(fields) == len(words) and set(fields) <= {"code", "title", "author", "keys", "price"})
        for name in ("title", "author", "keys"):
            need(TEXT(fields.get(name, "x")))
        keys = fields.get("keys", "x").split("|")
        need(all(keys) and len(set(keys)) == len(keys))
        code = fields.get("code")
        need(code is None or (CODE(code) and code not in self.shop.books))
        price = cents(fields.pop("price")) if "price" in fields else book.price
        self.shop.take(book)
        for name, value in fields.items():
            setattr(book, name, value)
        book.price = price
        self.shop.put(book)
        return ["ok"]

    def do_import(self, number: str, cost: str) -> list[str]:
        book = self.chosen()
        pieces, spent = count(number), cents(cost)
        need(spent)
        book.stock += pieces
        self.shop.deal(0, spent)
        return ["ok"]

    def do_buy(self, code: str, number: str) -> list[str]:
        need(self.rank() >= 1)
        pieces, book = count(number), self.shop.books.get(code)
        need(book and book.stock >= pieces)
        assert book is not None
        book.stock -= pieces
        self.shop.deal(pieces * book.price, 0)
        return [money(pieces * book.price)]

    def do_find(self, *words: str) -> list[str]:
        need(self.rank() >= 1 and len(words) < 2)
        books = self.shop.books
        if words:
            need("=" in words[0])
            field, value = words[0].split("=", 1)
            need(field in ("code", "title", "author", "key"))
            need(CODE(value) if field == "code" else TEXT(value) and (field != "key" or "|" not in value))
            if field == "code":
                books = {value: books[value]} if value in books else {}
            else:
                books = self.shop.found.get((field, value), {})
        return [books[code].line() for code in sorted(books)] or ["none"]

    def do_ledger(self, *words: str) -> list[str]:
        need(self.rank() >= 3 and len(words) < 2)
        earned, spent = self.shop.earned, self.shop.spent
        since = len(earned) - 1 - count(words[0]) if words else 0
        need(since >= 0)
        return [f"in {money(earned[-1] - earned[since])} out {money(spent[-1] - spent[since])}"]

    def do_accounts(self) -> list[str]:
        need(self.rank() >= 3)
        return [f"{name} {rank} {shown}" for name, (_, rank, shown) in sorted(self.shop.accounts.items())]


def answers(shop: Shop, lines: list[str]) -> list[str]:
    """The answers to one run."""
    run, found = Run(shop), []
    for line in lines:
        if line.split() == ["quit"]:
            break
        found += run.answer(line)
    return found
