# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""Which words are valid. Functions that understand a word return None if it is not valid."""

VISIBLE = frozenset(map(chr, range(33, 127)))
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
DIGITS = frozenset("0123456789")


def made_of(word, allowed, longest):
    return 0 < len(word) <= longest and allowed.issuperset(word)


def identifier(word):
    return made_of(word, LETTERS, 30)


def name(word):
    return made_of(word, VISIBLE, 30)


def code(word):
    return made_of(word, VISIBLE, 20)


def text(word):
    return made_of(word, VISIBLE, 60) and '"' not in word


def keys(word):
    parts = word.split("|")
    return text(word) and "" not in parts and len(parts) == len(set(parts))


def key(word):
    return text(word) and "|" not in word


def cents(word):
    whole, dot, part = word.partition(".")
    if len(word) > 10 or not made_of(whole, DIGITS, 10):
        return None
    if dot and not made_of(part, DIGITS, 2):
        return None
    return int(whole) * 100 + int(part.ljust(2, "0")) if dot else int(whole) * 100


def count(word):
    return int(word) if made_of(word, DIGITS, 9) and word[0] != "0" else None


def money(value):
    return f"{value // 100}.{value % 100:02d}"
