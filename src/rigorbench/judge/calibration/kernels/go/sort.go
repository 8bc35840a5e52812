// The library's sort over a million pseudo-random numbers.
package main

import (
	"fmt"
	"sort"
)

func main() {
	const n = 1000000
	a := make([]int, n)
	var x int64 = 7
	for i := range a {
		x = x * 48271 % 2147483647
		a[i] = int(x)
	}
	sort.Ints(a)
	var sum int64
	for i, value := range a {
		sum = (sum + int64(i%7)*int64(value)) % 1000000007
	}
	fmt.Println(sum)
}
