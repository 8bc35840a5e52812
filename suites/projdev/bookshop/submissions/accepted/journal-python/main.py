# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""The program of a bookshop: commands on standard input, answers on standard output."""

import sys

import words as valid
from shop import CODE, PRICE, STOCK, Shop


class Counter:
    """The session. Each command returns its answer, or None if it is refused."""

    def __init__(self, shop):
        self.shop = shop
        self.stack = []  # [ID, the chosen book]
        # name -> (lowest rank, fewest and most words behind it, method)
        self.commands = {
            "login": (0, 1, 2, self.login),
            "logout": (1, 0, 0, self.logout),
            "register": (0, 3, 3, self.register),
            "hire": (2, 4, 4, self.hire),
            "password": (1, 2, 3, self.password),
            "dismiss": (3, 1, 1, self.dismiss),
            "choose": (2, 1, 1, self.choose),
            "change": (2, 1, 5, self.change),
            "import": (2, 2, 2, self.import_),
            "buy": (1, 2, 2, self.buy),
            "find": (1, 0, 1, self.find),
            "ledger": (3, 0, 1, self.ledger),
            "accounts": (3, 0, 0, self.accounts),
        }

    def rank(self):
        return self.shop.accounts[self.stack[-1][0]][1] if self.stack else 0

    def answer(self, words):
        rank, least, most, method = self.commands.get(words[0], (9, 0, 0, None))
        if self.rank() < rank or not least <= len(words) - 1 <= most:
            return "refused"
        answer = method(*words[1:])
        return "refused" if answer is None else answer

    def login(self, name, password=None):
        account = self.shop.accounts.get(name)
        if account is None:
            return None
        if password != account[0] if password is not None else self.rank() <= account[1]:
            return None
        self.stack.append([name, None])
        return "ok"

    def logout(self):
        self.stack.pop()
        return "ok"

    def add(self, name, password, rank, shown):
        if not (valid.identifier(name) and valid.identifier(password) and valid.name(shown)):
            return None
        if name in self.shop.accounts:
            return None
        self.shop.do("account", name, password, rank, shown)
        return "ok"

    def register(self, name, password, shown):
        return self.add(name, password, "1", shown)

    def hire(self, name, password, rank, shown):
        if rank not in ("1", "2") or int(rank) >= self.rank():
            return None
        return self.add(name, password, rank, shown)

    def password(self, name, *given):
        account = self.shop.accounts.get(name)
        if account is None or not valid.identifier(given[-1]):
            return None
        if given[0] != account[0] if len(given) == 2 else self.rank() < 3:
            return None
        self.shop.do("password", name, given[-1])
        return "ok"

    def dismiss(self, name):
        if name not in self.shop.accounts or name in [entry[0] for entry in self.stack]:
            return None
        self.shop.do("dismiss", name)
        return "ok"

    def choose(self, code):
        if not valid.code(code):
            return None
        if code not in self.shop.books:
            self.shop.do("make", code)
        self.stack[-1][1] = self.shop.books[code]
        return "ok"

    def change(self, *fields):
        book = self.stack[-1][1]
        if book is None:
            return None
        values = {}
        for field in fields:
            name, sign, value = field.partition("=")
            if not sign or name in values:
                return None
            if name == "price":
                price = valid.cents(value)
                if price is None:
                    return None
                value = str(price)
            elif name == "code":
                if not valid.code(value) or value in self.shop.books:
                    return None
            elif name in ("title", "author"):
                if not valid.text(value):
                    return None
            elif name != "keys" or not valid.keys(value):
                return None
            values[name] = value
        self.shop.do("change", book[CODE], *(word for pair in values.items() for word in pair))
        return "ok"

    def import_(self, number, paid):
        book, count, cost = self.stack[-1][1], valid.count(number), valid.cents(paid)
        if book is None or not count or not cost:
            return None
        self.shop.do("import", book[CODE], str(count), str(cost))
        return "ok"

    def buy(self, code, number):
        book, count = self.shop.books.get(code), valid.count(number)
        if book is None or not count or book[STOCK] < count:
            return None
        self.shop.do("buy", code, str(count))
        return valid.money(book[PRICE] * count)

    def find(self, field=None):
        if field is None:
            codes = sorted(self.shop.books)
        else:
            name, sign, value = field.partition("=")
            check = {"code": valid.code, "title": valid.text, "author": valid.text, "key": valid.key}.get(name)
            if not sign or check is None or not check(value):
                return None
            codes = self.shop.with_value(name, value)
        lines = []
        for code in codes:
            *texts, price, stock = self.shop.books[code]
            lines.append("\t".join([*texts, valid.money(price), str(stock)]))
        return "\n".join(lines) or "none"

    def ledger(self, number=None):
        count = self.shop.deals() if number is None else valid.count(number)
        sums = self.shop.last(count) if count is not None else None
        return None if sums is None else f"in {valid.money(sums[0])} out {valid.money(sums[1])}"

    def accounts(self):
        return "\n".join(f"{name} {rank} {shown}" for name, (_, rank, shown) in sorted(self.shop.accounts.items()))


def main():
    shop = Shop()
    counter = Counter(shop)
    answers = []
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            break
        if words:
            answers.append(counter.answer(words))
    sys.stdout.write("".join(f"{answer}\n" for answer in answers))
    shop.close()


if __name__ == "__main__":
    main()
