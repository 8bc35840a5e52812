# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Ends in the middle of the season without saying so."""

count, hours, looks = map(int, input().split())
for hour in range(hours // 2):
    print("empty", hour % count + 1, flush=True)
    input()
