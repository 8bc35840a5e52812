print(3.14 * float(input()) ** 2)
