# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Takes the answer to a command for two numbers."""

count, hours, looks = map(int, input().split())
for hour in range(hours):
    print("empty", hour % count + 1, flush=True)
    taken, left = map(int, input().split())
