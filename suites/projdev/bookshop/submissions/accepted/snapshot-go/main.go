// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

// The program of a bookshop: commands on standard input, answers on standard output.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bookshop:", err)
		os.Exit(1)
	}
}

// run answers all commands of standard input and then saves the shop.
func run() error {
	shop, err := load()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	counter := &Counter{shop: shop, out: out}
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		if len(words) == 1 && words[0] == "quit" {
			break
		}
		if !counter.answer(words) {
			out.WriteString("refused\n")
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return shop.save()
}
