// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

package main

// A quarter of the nodes of a level are on the next one, too: enough levels for 4^9 teams.
const levels = 9

// A link leads to a later node, which is width places further on; to is nil at the end.
type link struct {
	to    *node
	width int
}

type node struct {
	team  *Team
	links []link
}

// Listing is the ranked teams from the best to the worst, as a skip list. A team is taken out before its result changes.
type Listing struct {
	head   node
	length int
	state  uint32
}

func newListing() *Listing {
	l := &Listing{state: 2463534242}
	for i := 0; i < levels; i++ {
		l.head.links = append(l.head.links, link{nil, 1})
	}
	return l
}

// seek finds the node in front of a result and name on each level, and how many teams are listed up to it.
func (l *Listing) seek(result Result, name string) (nodes [levels]*node, places [levels]int) {
	at, place := &l.head, 0
	for level := levels - 1; level >= 0; level-- {
		for next := at.links[level]; next.to != nil && next.to.team.listedBefore(result, name); next = at.links[level] {
			at, place = next.to, place+next.width
		}
		nodes[level], places[level] = at, place
	}
	return nodes, places
}

func (l *Listing) add(team *Team) {
	nodes, places := l.seek(team.result, team.name)
	added := &node{team, make([]link, l.height())}
	for level, before := range nodes {
		passed := &before.links[level]
		if level >= len(added.links) {
			passed.width++
			continue
		}
		width := places[0] + 1 - places[level]
		added.links[level] = link{passed.to, passed.width + 1 - width}
		*passed = link{added, width}
	}
	l.length++
}

func (l *Listing) remove(team *Team) {
	nodes, _ := l.seek(team.result, team.name)
	removed := nodes[0].links[0].to
	for level, before := range nodes {
		passed := &before.links[level]
		passed.width--
		if level < len(removed.links) {
			passed.width += removed.links[level].width
			passed.to = removed.links[level].to
		}
	}
	l.length--
}

// place is how many teams are listed before this one.
func (l *Listing) place(team *Team) int {
	_, places := l.seek(team.result, team.name)
	return places[0]
}

// rank is 1 plus the number of better teams: no name comes before the empty one.
func (l *Listing) rank(result Result) int {
	_, places := l.seek(result, "")
	return places[0] + 1
}

// from returns up to count teams, the first of which has this place.
func (l *Listing) from(place, count int) []*Team {
	if place >= l.length {
		return nil
	}
	at, left := &l.head, place+1
	for level := levels - 1; level >= 0; level-- {
		for at.links[level].to != nil && at.links[level].width <= left {
			left -= at.links[level].width
			at = at.links[level].to
		}
	}
	var teams []*Team
	for ; at != nil && len(teams) < count; at = at.links[0].to {
		teams = append(teams, at.team)
	}
	return teams
}

// height of a new node, by a generator of pseudo-random numbers (xorshift).
func (l *Listing) height() int {
	l.state ^= l.state << 13
	l.state ^= l.state >> 17
	l.state ^= l.state << 5
	height := 1
	for bits := l.state; height < levels && bits&3 == 0; bits >>= 2 {
		height++
	}
	return height
}
