// Counting in the library's hash map: 1.5 million updates of half a million keys.
package main

import "fmt"

func main() {
	count := make(map[int64]int64)
	var x, most int64 = 3, 0
	for i := 0; i < 1500000; i++ {
		x = x * 48271 % 2147483647
		key := x % 500009 * 4001
		value := count[key] + int64(i&7)
		count[key] = value
		if value > most {
			most = value
		}
	}
	fmt.Println(len(count), most)
}
