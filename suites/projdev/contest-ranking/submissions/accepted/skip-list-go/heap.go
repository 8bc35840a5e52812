// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

// A Heap has the item on top that comes before all others.
type Heap[T any] struct {
	items  []T
	before func(a, b T) bool
}

func (h *Heap[T]) empty() bool { return len(h.items) == 0 }

func (h *Heap[T]) top() T { return h.items[0] }

func (h *Heap[T]) push(item T) {
	h.items = append(h.items, item)
	for at := len(h.items) - 1; at > 0; {
		parent := (at - 1) / 2
		if !h.before(h.items[at], h.items[parent]) {
			break
		}
		h.items[at], h.items[parent] = h.items[parent], h.items[at]
		at = parent
	}
}

// pop removes the top.
func (h *Heap[T]) pop() {
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	h.sink()
}

// sink moves the top to its place after it has changed.
func (h *Heap[T]) sink() {
	for at := 0; ; {
		child := 2*at + 1
		if child >= len(h.items) {
			return
		}
		if child+1 < len(h.items) && h.before(h.items[child+1], h.items[child]) {
			child++
		}
		if !h.before(h.items[child], h.items[at]) {
			return
		}
		h.items[at], h.items[child] = h.items[child], h.items[at]
		at = child
	}
}
