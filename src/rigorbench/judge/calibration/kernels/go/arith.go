// 64-bit integer and floating-point arithmetic in one long loop.
package main

import "fmt"

func main() {
	var x, sum int64 = 1, 0
	f := 0.0
	for i := 0; i < 12000000; i++ {
		x = x * 48271 % 2147483647
		sum = (sum + (x & 255)) % 1000003
		f = f*0.5 + float64(x&1023)
	}
	fmt.Println(sum, int64(f))
}
