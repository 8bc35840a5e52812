"""Ends in the middle of the season without saying so."""

count, hours, looks = map(int, input().split())
for hour in range(hours // 2):
    print("empty", hour % count + 1, flush=True)
    input()
