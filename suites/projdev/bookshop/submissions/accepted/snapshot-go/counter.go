// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

import (
	"bufio"
	"strconv"
	"strings"
)

// An Entry of the stack of accounts that are logged in.
type Entry struct {
	account *Account
	chosen  *Book // nil: none
}

// Counter is the session: it checks commands, carries them out and answers.
type Counter struct {
	shop  *Shop
	out   *bufio.Writer
	stack []Entry
}

// A command: who may use it, how many words follow its name, and what it does. A method returns false if it refuses; then
// it has neither changed nor written anything.
type command struct {
	rank, least, most int
	do                func(*Counter, []string) bool
}

var commands = map[string]command{
	"login":    {passerBy, 1, 2, (*Counter).login},
	"logout":   {customer, 0, 0, (*Counter).logout},
	"register": {passerBy, 3, 3, (*Counter).register},
	"hire":     {clerk, 4, 4, (*Counter).hire},
	"password": {customer, 2, 3, (*Counter).password},
	"dismiss":  {owner, 1, 1, (*Counter).dismiss},
	"choose":   {clerk, 1, 1, (*Counter).choose},
	"change":   {clerk, 1, 5, (*Counter).change},
	"import":   {clerk, 2, 2, (*Counter).importBooks},
	"buy":      {customer, 2, 2, (*Counter).buy},
	"find":     {customer, 0, 1, (*Counter).find},
	"ledger":   {owner, 0, 1, (*Counter).ledger},
	"accounts": {owner, 0, 0, (*Counter).accounts},
}

// answer carries out one command and writes its answer; it returns false if the command is refused.
func (c *Counter) answer(words []string) bool {
	command, known := commands[words[0]]
	given := words[1:]
	if !known || c.rank() < command.rank || len(given) < command.least || len(given) > command.most {
		return false
	}
	return command.do(c, given)
}

func (c *Counter) rank() int {
	if len(c.stack) == 0 {
		return passerBy
	}
	return c.top().account.rank
}

// top is the entry at the counter; only commands of rank 1 and above use it.
func (c *Counter) top() *Entry { return &c.stack[len(c.stack)-1] }

func (c *Counter) ok() bool {
	c.out.WriteString("ok\n")
	return true
}

func (c *Counter) login(given []string) bool {
	account := c.shop.accounts.byID[given[0]]
	if account == nil {
		return false
	}
	if len(given) == 2 && given[1] != account.password || len(given) == 1 && c.rank() <= account.rank {
		return false
	}
	account.logins++
	c.stack = append(c.stack, Entry{account: account})
	return c.ok()
}

func (c *Counter) logout([]string) bool {
	c.top().account.logins--
	c.stack = c.stack[:len(c.stack)-1]
	return c.ok()
}

func (c *Counter) register(given []string) bool {
	return c.open(given[0], given[1], customer, given[2])
}

func (c *Counter) hire(given []string) bool {
	ranks := map[string]int{"1": customer, "2": clerk}
	rank, valid := ranks[given[2]]
	return valid && rank < c.rank() && c.open(given[0], given[1], rank, given[3])
}

func (c *Counter) open(id, password string, rank int, name string) bool {
	if !validID(id) || !validID(password) || !validName(name) {
		return false
	}
	return c.shop.accounts.add(&Account{id: id, password: password, rank: rank, name: name}) && c.ok()
}

func (c *Counter) password(given []string) bool {
	account, latest := c.shop.accounts.byID[given[0]], given[len(given)-1]
	if account == nil || !validID(latest) {
		return false
	}
	if len(given) == 3 && given[1] != account.password || len(given) == 2 && c.rank() < owner {
		return false
	}
	c.shop.accounts.setPassword(account, latest)
	return c.ok()
}

func (c *Counter) dismiss(given []string) bool {
	account := c.shop.accounts.byID[given[0]]
	if account == nil || account.logins > 0 {
		return false
	}
	c.shop.accounts.remove(account)
	return c.ok()
}

func (c *Counter) choose(given []string) bool {
	if !validCode(given[0]) {
		return false
	}
	c.top().chosen = c.shop.books.choose(given[0])
	return c.ok()
}

func (c *Counter) change(given []string) bool {
	book := c.top().chosen
	if book == nil {
		return false
	}
	fields, seen := *book, map[string]bool{}
	for _, word := range given {
		name, value, found := strings.Cut(word, "=")
		if !found || seen[name] || !c.set(&fields, name, value) {
			return false
		}
		seen[name] = true
	}
	c.shop.books.replace(book, fields)
	return c.ok()
}

// set gives one field of a copy of the chosen book a value.
func (c *Counter) set(fields *Book, name, value string) bool {
	valid := false
	switch name {
	case "code":
		valid = validCode(value) && c.shop.books.byCode[value] == nil
		fields.code = value
	case "title":
		valid = validText(value)
		fields.title = value
	case "author":
		valid = validText(value)
		fields.author = value
	case "keys":
		valid = validKeys(value)
		fields.keys = value
	case "price":
		fields.price, valid = parseMoney(value)
	}
	return valid
}

func (c *Counter) importBooks(given []string) bool {
	count, countValid := parseCount(given[0])
	cost, costValid := parseMoney(given[1])
	book := c.top().chosen
	if !countValid || !costValid || cost == 0 || book == nil {
		return false
	}
	c.shop.books.restock(book, count)
	c.shop.deals.add(-cost)
	return c.ok()
}

func (c *Counter) buy(given []string) bool {
	count, valid := parseCount(given[1])
	book := c.shop.books.byCode[given[0]]
	if !valid || book == nil || book.stock < count {
		return false
	}
	paid := count * book.price
	c.shop.books.restock(book, -count)
	c.shop.deals.add(paid)
	c.out.Write(append(appendMoney(nil, paid), '\n'))
	return true
}

func (c *Counter) find(given []string) bool {
	var books []*Book
	if len(given) == 0 {
		books = c.shop.books.sorted()
	} else {
		field, value, found := strings.Cut(given[0], "=")
		switch {
		case found && field == "code" && validCode(value):
			if book := c.shop.books.byCode[value]; book != nil {
				books = []*Book{book}
			}
		case found && (field == "title" || field == "author") && validText(value),
			found && field == "key" && validKey(value):
			books = c.shop.books.with(field, value)
		default:
			return false
		}
	}
	if len(books) == 0 {
		c.out.WriteString("none\n")
	}
	var line []byte
	for _, book := range books {
		line = line[:0]
		for _, text := range []string{book.code, book.title, book.author, book.keys} {
			line = append(append(line, text...), '\t')
		}
		line = append(appendMoney(line, book.price), '\t')
		line = append(strconv.AppendInt(line, book.stock, 10), '\n')
		c.out.Write(line)
	}
	return true
}

func (c *Counter) ledger(given []string) bool {
	deals := c.shop.deals.count()
	if len(given) == 1 {
		count, valid := parseCount(given[0])
		if !valid || count > int64(deals) {
			return false
		}
		deals = int(count)
	}
	in, out := c.shop.deals.last(deals)
	line := appendMoney([]byte("in "), in)
	line = appendMoney(append(line, " out "...), out)
	c.out.Write(append(line, '\n'))
	return true
}

func (c *Counter) accounts([]string) bool {
	for _, account := range c.shop.accounts.sorted() {
		c.out.WriteString(account.id + " " + strconv.Itoa(account.rank) + " " + account.name + "\n")
	}
	return true
}
