# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Goes round from barrel to barrel and learns nothing: what the score's lower baseline stands for."""

count, hours, looks = map(int, input().split())
for hour in range(hours):
    print("empty", hour % count + 1, flush=True)
    input()
