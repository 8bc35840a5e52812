# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Gives one more command when the season is over."""

count, hours, looks = map(int, input().split())
for hour in range(hours + 1):
    print("empty", hour % count + 1, flush=True)
    if hour < hours:
        input()
