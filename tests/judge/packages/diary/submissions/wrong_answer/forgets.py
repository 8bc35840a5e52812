import sys

count = 0
for line in sys.stdin:
    if line.startswith("add "):
        count += 1
    else:
        print(count)
