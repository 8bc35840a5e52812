# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""Accounts, books and deals, as they follow from the journal."""

from array import array

JOURNAL = "journal"
CODE, TITLE, AUTHOR, KEYS, PRICE, STOCK = range(6)
FIELDS = {"code": CODE, "title": TITLE, "author": AUTHOR, "keys": KEYS, "price": PRICE}


class Shop:
    def __init__(self):
        self.accounts = {"owner": ["owner", 3, "owner"]}  # ID -> password, rank, name
        self.books = {}  # code -> fields
        self.found = {}  # (field, value) -> codes
        self.earned, self.spent = array("q", [0]), array("q", [0])
        self.changes = {
            "account": self.account,
            "password": self.password,
            "dismiss": self.dismiss,
            "make": self.make,
            "change": self.change,
            "import": self.import_,
            "buy": self.buy,
        }
        try:
            with open(JOURNAL, encoding="ascii") as file:
                for line in file:
                    words = line[:-1].split("\t")
                    self.changes[words[0]](*words[1:])
        except FileNotFoundError:
            pass
        self.journal = open(JOURNAL, "a", encoding="ascii")

    def do(self, *words):
        """Apply a change and write it down."""
        self.changes[words[0]](*words[1:])
        self.journal.write("\t".join(words) + "\n")

    def close(self):
        self.journal.close()

    # ------------------------------------------------------------------------------------------------------ changes
    def account(self, name, password, rank, shown):
        self.accounts[name] = [password, int(rank), shown]

    def password(self, name, new):
        self.accounts[name][0] = new

    def dismiss(self, name):
        del self.accounts[name]

    def make(self, code):
        self.books[code] = [code, "", "", "", 0, 0]

    def change(self, code, *pairs):
        book = self.books[code]
        for place in self.places(book):
            self.found[place].discard(code)
        for field, value in zip(pairs[::2], pairs[1::2]):
            book[FIELDS[field]] = int(value) if field == "price" else value
        if book[CODE] != code:
            del self.books[code]
            self.books[book[CODE]] = book
        for place in self.places(book):
            self.found.setdefault(place, set()).add(book[CODE])

    def import_(self, code, count, cost):
        self.books[code][STOCK] += int(count)
        self.deal(0, int(cost))

    def buy(self, code, count):
        book = self.books[code]
        book[STOCK] -= int(count)
        self.deal(book[PRICE] * int(count), 0)

    def deal(self, earned, spent):
        self.earned.append(self.earned[-1] + earned)
        self.spent.append(self.spent[-1] + spent)

    # ---------------------------------------------------------------------------------------------------- questions
    @staticmethod
    def places(book):
        """Where a book is found, besides its code."""
        found = [pair for pair in (("title", book[TITLE]), ("author", book[AUTHOR])) if pair[1]]
        if book[KEYS]:
            found += [("key", key) for key in book[KEYS].split("|")]
        return found

    def with_value(self, field, value):
        """Sorted codes of the books."""
        if field == "code":
            return [value] if value in self.books else []
        return sorted(self.found.get((field, value), ()))

    def last(self, count):
        """(earned, spent) in the last deals; None: there are fewer."""
        first = len(self.earned) - 1 - count
        if first < 0:
            return None
        return self.earned[-1] - self.earned[first], self.spent[-1] - self.spent[first]

    def deals(self):
        return len(self.earned) - 1
