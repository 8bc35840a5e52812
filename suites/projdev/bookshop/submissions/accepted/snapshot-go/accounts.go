// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

import "sort"

// The four ranks.
const (
	passerBy = iota
	customer
	clerk
	owner
)

// An Account of one person.
type Account struct {
	id, password, name string
	rank               int
	logins             int // entries of the stack with this account
}

// Accounts by ID.
type Accounts struct {
	byID    map[string]*Account
	changed bool
}

// add makes an account; it returns false if the ID is taken.
func (a *Accounts) add(account *Account) bool {
	if a.byID[account.id] != nil {
		return false
	}
	a.byID[account.id] = account
	a.changed = true
	return true
}

func (a *Accounts) setPassword(account *Account, password string) {
	account.password = password
	a.changed = true
}

func (a *Accounts) remove(account *Account) {
	delete(a.byID, account.id)
	a.changed = true
}

// sorted returns all accounts by ID.
func (a *Accounts) sorted() []*Account {
	all := make([]*Account, 0, len(a.byID))
	for _, account := range a.byID {
		all = append(all, account)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return all
}
