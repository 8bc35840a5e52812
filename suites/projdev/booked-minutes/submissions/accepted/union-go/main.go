// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582

// Booked minutes: bookings are packed into blocks piece by piece, and the pieces merged pair by pair.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

// A Block is a run of booked minutes: first, and up to but not including end.
type Block struct{ first, end uint64 }

// formula makes the bookings of a "many" line.
type formula uint64

func (x *formula) below(limit uint64) uint64 {
	*x = *x*6364136223846793005 + 1442695040888963407
	return uint64(*x>>20) % limit
}

// union joins two lists of blocks. In each list, and in the result, blocks are in order and do not touch.
func union(a, b []Block) []Block {
	joined := make([]Block, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].first < a[0].first {
			a, b = b, a
		}
		next := a[0]
		a = a[1:]
		if last := len(joined) - 1; last < 0 || joined[last].end < next.first {
			joined = append(joined, next)
		} else if joined[last].end < next.end {
			joined[last].end = next.end
		}
	}
	return joined
}

// pile keeps lists of blocks: level i is made of 2^i bookings or is empty, as the digits of a binary counter.
type pile [][]Block

func (p *pile) add(first, end uint64) {
	if first == end {
		return
	}
	blocks := []Block{{first, end}}
	for level := 0; ; level++ {
		if level == len(*p) {
			*p = append(*p, nil)
		}
		if (*p)[level] == nil {
			(*p)[level] = blocks
			return
		}
		blocks = union((*p)[level], blocks)
		(*p)[level] = nil
	}
}

func (p pile) blocks() []Block {
	var all []Block
	for _, blocks := range p {
		all = union(all, blocks)
	}
	return all
}

// read adds the bookings of one line.
func (p *pile) read(line string) error {
	words := strings.Split(line, " ")
	many := words[0] == "many"
	if many {
		words = words[1:]
	}
	numbers := make([]uint64, len(words))
	for i, word := range words {
		number, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return err
		}
		numbers[i] = number
	}
	if !many {
		p.add(numbers[0], numbers[1])
		return nil
	}
	x := formula(numbers[1])
	for left := numbers[0]; left > 0; left-- {
		first := x.below(numbers[2])
		p.add(first, first+x.below(numbers[3]))
	}
	return nil
}

func main() {
	var bookings pile
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := bookings.read(lines.Text()); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	var booked, gap uint64
	blocks := bookings.blocks()
	for i, block := range blocks {
		booked += block.end - block.first
		if i > 0 && block.first-blocks[i-1].end > gap {
			gap = block.first - blocks[i-1].end
		}
	}
	fmt.Printf("booked %d\nblocks %d\ngap %d\n", booked, len(blocks), gap)
}
