"""Gives one more command when the season is over."""

count, hours, looks = map(int, input().split())
for hour in range(hours + 1):
    print("empty", hour % count + 1, flush=True)
    if hour < hours:
        input()
