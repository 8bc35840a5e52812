// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

import (
	"strconv"
	"strings"
)

// A Row of the board.
type Row struct {
	rank int
	team *Team
}

// board returns up to count rows; the first place is number 1.
func (c *Contest) board(from, count int) []Row {
	teams := c.listing.from(from-1, count)
	rows := make([]Row, len(teams))
	for i, team := range teams {
		switch {
		case i == 0:
			rows[i] = Row{c.listing.rank(team.result), team}
		case team.result == teams[i-1].result:
			rows[i] = Row{rows[i-1].rank, team}
		default:
			rows[i] = Row{from + i, team}
		}
	}
	return rows
}

// latest is the team's newest submission of a kind; "*" means any. nil: there is none.
func (c *Contest) latest(name, letter, verdict string) (*Submission, error) {
	team, err := c.team(name)
	if err != nil {
		return nil, err
	}
	if letter == "*" {
		if verdict == "*" {
			return team.newest, nil
		}
		return team.latest(verdictOf(verdict)), nil
	}
	problem, err := c.problem(letter)
	if err != nil {
		return nil, err
	}
	made := team.cells[problem].made
	for i := len(made) - 1; i >= 0; i-- {
		if verdict == "*" || made[i].verdict == verdictOf(verdict) {
			return made[i], nil
		}
	}
	return nil, nil
}

func verdictOf(name string) Verdict {
	for verdict, known := range verdictNames {
		if name == known {
			return Verdict(verdict)
		}
	}
	panic("no verdict: " + name)
}

func letterOf(problem int) string { return string(rune('A' + problem)) }

// text is how the board shows a cell.
func (c *Cell) text() string {
	switch {
	case c.solution != nil:
		return "+" + strconv.Itoa(c.attempts)
	case c.hidden > 0:
		return "?" + strconv.Itoa(c.attempts) + "/" + strconv.Itoa(c.hidden)
	case c.attempts > 0:
		return "-" + strconv.Itoa(c.attempts)
	}
	return "."
}

func (r Row) text() string {
	words := []string{
		strconv.Itoa(r.rank), r.team.name, strconv.Itoa(r.team.result.solved), strconv.Itoa(r.team.result.penalty),
	}
	for i := range r.team.cells {
		words = append(words, r.team.cells[i].text())
	}
	return strings.Join(words, " ")
}
