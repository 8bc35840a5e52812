// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

import (
	"errors"
	"strconv"
)

// State of the contest.
type State int

const (
	waiting State = iota
	running
	over
)

var (
	errStarted    = errors.New("started")
	errTaken      = errors.New("taken")
	errEmpty      = errors.New("empty")
	errWaiting    = errors.New("waiting")
	errOver       = errors.New("over")
	errTeam       = errors.New("team")
	errProblem    = errors.New("problem")
	errSubmission = errors.New("submission")
	errFrozen     = errors.New("frozen")
	errOpen       = errors.New("open")
	errOut        = errors.New("out")
	errIn         = errors.New("in")
)

// A Problem knows who solved it, and what was submitted.
type Problem struct {
	solved    int               // by so many ranked teams
	submitted [verdicts]int     // by all teams
	solutions Heap[*Submission] // the oldest on top; some of them no longer are solutions of a ranked team
}

// Contest is everything that commands ask for or change.
type Contest struct {
	penalty     int
	state       State
	frozen      bool
	teams       map[string]*Team
	listing     *Listing
	problems    []Problem
	submissions []*Submission
	sinceFreeze []*Submission
}

func newContest(problems, penalty int) *Contest {
	c := &Contest{
		penalty:  penalty,
		teams:    map[string]*Team{},
		listing:  newListing(),
		problems: make([]Problem, problems),
	}
	for i := range c.problems {
		c.problems[i].solutions.before = func(a, b *Submission) bool { return a.number < b.number }
	}
	return c
}

func (c *Contest) mustRun() error {
	switch c.state {
	case waiting:
		return errWaiting
	case over:
		return errOver
	}
	return nil
}

func (c *Contest) team(name string) (*Team, error) {
	if team := c.teams[name]; team != nil {
		return team, nil
	}
	return nil, errTeam
}

func (c *Contest) problem(letter string) (int, error) {
	if number := int(letter[0]) - 'A'; 0 <= number && number < len(c.problems) {
		return number, nil
	}
	return 0, errProblem
}

func (c *Contest) register(name string) error {
	if c.state != waiting {
		return errStarted
	}
	if c.teams[name] != nil {
		return errTaken
	}
	team := newTeam(name, len(c.problems))
	c.teams[name] = team
	c.listing.add(team)
	return nil
}

func (c *Contest) start() error {
	if c.state != waiting {
		return errStarted
	}
	if len(c.teams) == 0 {
		return errEmpty
	}
	c.state = running
	return nil
}

func (c *Contest) end() error {
	if err := c.mustRun(); err != nil {
		return err
	}
	c.state = over
	return nil
}

func (c *Contest) freeze() error {
	if err := c.mustRun(); err != nil {
		return err
	}
	if c.frozen {
		return errFrozen
	}
	c.frozen = true
	return nil
}

func (c *Contest) submit(name, letter string, verdict Verdict, time int) (*Submission, error) {
	if err := c.mustRun(); err != nil {
		return nil, err
	}
	team, err := c.team(name)
	if err != nil {
		return nil, err
	}
	problem, err := c.problem(letter)
	if err != nil {
		return nil, err
	}
	s := &Submission{
		number: len(c.submissions) + 1, team: team, problem: problem, verdict: verdict, time: time, hidden: c.frozen,
	}
	c.submissions = append(c.submissions, s)
	c.problems[problem].submitted[verdict]++
	team.cells[problem].made = append(team.cells[problem].made, s)
	team.newest = s
	team.having[verdict].push(s)
	if s.hidden {
		c.sinceFreeze = append(c.sinceFreeze, s)
	}
	c.recount(team, problem)
	return s, nil
}

// rejudge returns the verdict before.
func (c *Contest) rejudge(number string, verdict Verdict) (Verdict, error) {
	index, err := strconv.Atoi(number)
	if err != nil || index > len(c.submissions) {
		return 0, errSubmission
	}
	s := c.submissions[index-1]
	was := s.verdict
	if was != verdict {
		s.verdict = verdict
		c.problems[s.problem].submitted[was]--
		c.problems[s.problem].submitted[verdict]++
		s.team.having[verdict].push(s)
		c.recount(s.team, s.problem)
	}
	return was, nil
}

func (c *Contest) disqualify(name string) error {
	team, err := c.team(name)
	if err != nil {
		return err
	}
	if team.out {
		return errOut
	}
	c.listing.remove(team)
	team.out = true
	for i := range team.cells {
		if team.cells[i].solution != nil {
			c.problems[i].solved--
		}
	}
	return nil
}

func (c *Contest) reinstate(name string) error {
	team, err := c.team(name)
	if err != nil {
		return err
	}
	if !team.out {
		return errIn
	}
	team.out = false
	c.listing.add(team)
	for i := range team.cells {
		if solution := team.cells[i].solution; solution != nil {
			c.problems[i].solve(solution)
		}
	}
	return nil
}

// recount brings a cell, its team's place and the problem's solutions up to date.
func (c *Contest) recount(team *Team, problem int) {
	cell := &team.cells[problem]
	before := cell.solution
	cell.count()
	if before == nil && cell.solution == nil {
		return
	}
	result := team.total(c.penalty)
	if team.out {
		team.result = result
		return
	}
	if result != team.result {
		c.listing.remove(team)
		team.result = result
		c.listing.add(team)
	}
	if before != cell.solution {
		if before != nil {
			c.problems[problem].solved--
		}
		if cell.solution != nil {
			c.problems[problem].solve(cell.solution)
		}
	}
}

func (p *Problem) solve(solution *Submission) {
	p.solved++
	if !solution.queued {
		solution.queued = true
		p.solutions.push(solution)
	}
}

// first is the oldest solution of a ranked team; nil: there is none.
func (p *Problem) first() *Submission {
	for !p.solutions.empty() {
		s := p.solutions.top()
		if !s.team.out && s.team.cells[s.problem].solution == s {
			return s
		}
		s.queued = false
		p.solutions.pop()
	}
	return nil
}
