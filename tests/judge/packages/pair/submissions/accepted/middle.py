s = int(input())
print(s // 2, s - s // 2)
