// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

// A Step of the scroll by which a team passed others.
type Step struct {
	team     *Team
	problem  int
	old, new int // ranks
	passed   *Team
}

// scroll uncovers the board and opens it. It returns the steps to be told, and how many cells were uncovered.
func (c *Contest) scroll() (steps []Step, uncovered int, err error) {
	if !c.frozen {
		return nil, 0, errOpen
	}
	// The team that is listed last is on top. Only its own result changes while it is there, and only for the better.
	covered := Heap[*Team]{before: func(a, b *Team) bool { return b.listedBefore(a.result, a.name) }}
	seen := map[*Team]bool{}
	for _, s := range c.sinceFreeze {
		if !seen[s.team] && !s.team.out && s.team.firstCovered() >= 0 {
			covered.push(s.team)
		}
		seen[s.team] = true
	}
	for !covered.empty() {
		team := covered.top()
		problem := team.firstCovered()
		if problem < 0 {
			covered.pop()
			continue
		}
		uncovered++
		if step, passed := c.uncoverStep(team, problem); passed {
			steps = append(steps, step)
		}
		covered.sink()
	}
	for _, s := range c.sinceFreeze {
		if s.hidden {
			c.uncover(s.team, s.problem)
		}
	}
	c.sinceFreeze = nil
	c.frozen = false
	return steps, uncovered, nil
}

func (c *Contest) uncover(team *Team, problem int) {
	for _, s := range team.cells[problem].made {
		s.hidden = false
	}
	c.recount(team, problem)
}

// uncoverStep uncovers a cell of a listed team; it returns false if the team passed nobody.
func (c *Contest) uncoverStep(team *Team, problem int) (Step, bool) {
	before := team.result
	place := c.listing.place(team)
	rank := c.listing.rank(before)
	c.uncover(team, problem)
	if team.result == before {
		return Step{}, false
	}
	now := c.listing.place(team)
	if now == place {
		return Step{}, false
	}
	below := c.listing.from(now+1, 1)[0]
	return Step{team, problem, rank, c.listing.rank(team.result), below}, true
}
