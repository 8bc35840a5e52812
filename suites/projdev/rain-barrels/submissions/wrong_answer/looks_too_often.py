# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Looks into every barrel each hour, however few looks there are."""

count, hours, looks = map(int, input().split())


def ask(word, barrel):
    print(word, barrel, flush=True)
    return int(input())


for hour in range(hours):
    contents = [ask("look", barrel) for barrel in range(1, count + 1)]
    ask("empty", 1 + contents.index(max(contents)))
