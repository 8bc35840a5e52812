// Many small objects: binary trees built, walked and dropped.
package main

import "fmt"

type node struct {
	left, right *node
}

func grow(depth int) *node {
	if depth > 0 {
		return &node{grow(depth - 1), grow(depth - 1)}
	}
	return &node{}
}

func count(at *node) int {
	if at == nil {
		return 0
	}
	return 1 + count(at.left) + count(at.right)
}

func main() {
	kept := grow(18)
	sum := 0
	for round := 0; round < 60; round++ {
		sum += count(grow(14)) + round
	}
	fmt.Println(count(kept), sum)
}
