// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

// The ranking of a programming contest: commands on standard input, answers on standard output.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

// A command writes its answer, unless it is refused: then it returns why.
type command func(c *Contest, words []string, out *bufio.Writer) error

var commands = map[string]command{
	"team":       plain(func(c *Contest, w []string) error { return c.register(w[0]) }),
	"start":      plain(func(c *Contest, w []string) error { return c.start() }),
	"end":        plain(func(c *Contest, w []string) error { return c.end() }),
	"freeze":     plain(func(c *Contest, w []string) error { return c.freeze() }),
	"disqualify": plain(func(c *Contest, w []string) error { return c.disqualify(w[0]) }),
	"reinstate":  plain(func(c *Contest, w []string) error { return c.reinstate(w[0]) }),
	"submit":     submit,
	"rejudge":    rejudge,
	"scroll":     scroll,
	"rank":       rank,
	"board":      board,
	"first":      first,
	"tally":      tally,
	"last":       last,
}

// plain makes a command whose answer is "ok".
func plain(do func(*Contest, []string) error) command {
	return func(c *Contest, words []string, out *bufio.Writer) error {
		err := do(c, words)
		if err == nil {
			out.WriteString("ok\n")
		}
		return err
	}
}

func submit(c *Contest, words []string, out *bufio.Writer) error {
	s, err := c.submit(words[0], words[1], verdictOf(words[2]), number(words[3]))
	if err == nil {
		fmt.Fprintf(out, "submission %d\n", s.number)
	}
	return err
}

func rejudge(c *Contest, words []string, out *bufio.Writer) error {
	was, err := c.rejudge(words[0], verdictOf(words[1]))
	if err == nil {
		fmt.Fprintf(out, "was %s\n", verdictNames[was])
	}
	return err
}

func scroll(c *Contest, _ []string, out *bufio.Writer) error {
	steps, uncovered, err := c.scroll()
	if err != nil {
		return err
	}
	for _, s := range steps {
		fmt.Fprintf(out, "%s %s %d %d %s\n", s.team.name, letterOf(s.problem), s.old, s.new, s.passed.name)
	}
	fmt.Fprintf(out, "scrolled %d\n", uncovered)
	return nil
}

func rank(c *Contest, words []string, out *bufio.Writer) error {
	team, err := c.team(words[0])
	if err != nil {
		return err
	}
	if team.out {
		out.WriteString("out\n")
		return nil
	}
	result := team.result
	fmt.Fprintf(out, "rank %d of %d %d %d\n", c.listing.rank(result), c.listing.length, result.solved, result.penalty)
	return nil
}

func board(c *Contest, words []string, out *bufio.Writer) error {
	rows := c.board(number(words[0]), number(words[1]))
	fmt.Fprintf(out, "board %d\n", len(rows))
	for _, row := range rows {
		fmt.Fprintln(out, row.text())
	}
	return nil
}

func first(c *Contest, words []string, out *bufio.Writer) error {
	problem, err := c.problem(words[0])
	if err != nil {
		return err
	}
	if s := c.problems[problem].first(); s != nil {
		fmt.Fprintf(out, "first %s %d\n", s.team.name, s.time)
	} else {
		out.WriteString("none\n")
	}
	return nil
}

func tally(c *Contest, words []string, out *bufio.Writer) error {
	problem, err := c.problem(words[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "tally %d", c.problems[problem].solved)
	for _, count := range c.problems[problem].submitted {
		fmt.Fprintf(out, " %d", count)
	}
	fmt.Fprintln(out)
	return nil
}

func last(c *Contest, words []string, out *bufio.Writer) error {
	s, err := c.latest(words[0], words[1], words[2])
	if err != nil {
		return err
	}
	if s == nil {
		out.WriteString("none\n")
	} else {
		fmt.Fprintf(out, "last %d %s %s %d\n", s.number, letterOf(s.problem), verdictNames[s.verdict], s.time)
	}
	return nil
}

func number(word string) int {
	value, err := strconv.Atoi(word)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	if !lines.Scan() {
		log.Fatal("the input has no first line")
	}
	words := strings.Fields(lines.Text())
	contest := newContest(number(words[1]), number(words[2]))
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for lines.Scan() {
		words = strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		if err := commands[words[0]](contest, words[1:], out); err != nil {
			fmt.Fprintf(out, "error %s\n", err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
