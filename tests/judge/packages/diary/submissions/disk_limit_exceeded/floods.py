import sys

sys.stdin.read()
with open("flood", "wb") as file:
    for _ in range(64):
        file.write(bytes(1 << 20))
