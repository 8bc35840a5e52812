// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

// A Verdict is an index of verdictNames.
type Verdict int

const (
	accepted Verdict = iota
	wrong
	crash
	slow
	compile
	verdicts
)

var verdictNames = [verdicts]string{"accepted", "wrong", "crash", "slow", "compile"}

// A Submission of a team.
type Submission struct {
	number  int
	team    *Team
	problem int
	verdict Verdict
	time    int
	hidden  bool
	queued  bool // it is in the heap of its problem's solutions
}

// A Cell is the work of a team on one problem; count brings its results up to date.
type Cell struct {
	made     []*Submission
	solution *Submission // nil: not solved
	attempts int
	hidden   int
}

func (c *Cell) covered() bool { return c.solution == nil && c.hidden > 0 }

func (c *Cell) count() {
	c.solution, c.attempts, c.hidden = nil, 0, 0
	for _, s := range c.made {
		switch {
		case s.hidden:
			c.hidden++
		case c.solution != nil:
			// It counts nowhere, but hidden ones may follow.
		case s.verdict == accepted:
			c.solution = s
		case s.verdict != compile:
			c.attempts++
		}
	}
}

// A Result decides the rank.
type Result struct{ solved, penalty, last int }

func (r Result) better(other Result) bool {
	if r.solved != other.solved {
		return r.solved > other.solved
	}
	if r.penalty != other.penalty {
		return r.penalty < other.penalty
	}
	return r.last < other.last
}

// A Team of the contest.
type Team struct {
	name   string
	cells  []Cell
	result Result
	out    bool // it is disqualified
	newest *Submission
	// By verdict, the newest on top; those that got another verdict later are still in it.
	having [verdicts]Heap[*Submission]
}

func newTeam(name string, problems int) *Team {
	team := &Team{name: name, cells: make([]Cell, problems)}
	for i := range team.having {
		team.having[i].before = func(a, b *Submission) bool { return a.number > b.number }
	}
	return team
}

// listedBefore compares the team with another, given by its result and name.
func (t *Team) listedBefore(result Result, name string) bool {
	if t.result != result {
		return t.result.better(result)
	}
	return t.name < name
}

// total is the result of all cells.
func (t *Team) total(penalty int) Result {
	var sum Result
	for i := range t.cells {
		cell := &t.cells[i]
		if cell.solution == nil {
			continue
		}
		sum.solved++
		sum.penalty += cell.solution.time + penalty*cell.attempts
		if cell.solution.time > sum.last {
			sum.last = cell.solution.time
		}
	}
	return sum
}

// firstCovered is the first covered cell's problem; -1: there is none.
func (t *Team) firstCovered() int {
	for problem := range t.cells {
		if t.cells[problem].covered() {
			return problem
		}
	}
	return -1
}

// latest is the newest submission with a verdict; nil: there is none.
func (t *Team) latest(verdict Verdict) *Submission {
	heap := &t.having[verdict]
	for !heap.empty() {
		if heap.top().verdict == verdict {
			return heap.top()
		}
		heap.pop()
	}
	return nil
}
