// Reading two numbers from each of many lines and writing one.
package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		words := strings.Fields(in.Text())
		a, _ := strconv.ParseInt(words[0], 10, 64)
		b, _ := strconv.ParseInt(words[1], 10, 64)
		out.WriteString(strconv.FormatInt(a+b, 10))
		out.WriteByte('\n')
	}
}
