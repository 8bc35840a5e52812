// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

import (
	"sort"
	"strings"
)

// A Book of the stock. A text that is empty has not been given yet.
type Book struct {
	code, title, author, keys string
	price                     int64 // in cents
	stock                     int64
}

// A term is what books are searched by: a title, an author or one keyword.
type term struct{ field, value string }

// Catalogue has all books, by code and by term.
type Catalogue struct {
	byCode  map[string]*Book
	byTerm  map[term]map[*Book]struct{}
	changed bool
}

// choose returns the book with a code, and makes it if there is none.
func (c *Catalogue) choose(code string) *Book {
	if book := c.byCode[code]; book != nil {
		return book
	}
	book := &Book{code: code}
	c.add(book)
	return book
}

// add takes in a book with a code that no other one has.
func (c *Catalogue) add(book *Book) {
	c.byCode[book.code] = book
	for _, t := range book.terms() {
		if c.byTerm[t] == nil {
			c.byTerm[t] = map[*Book]struct{}{}
		}
		c.byTerm[t][book] = struct{}{}
	}
	c.changed = true
}

// replace gives a book new fields, the code among them.
func (c *Catalogue) replace(book *Book, fields Book) {
	delete(c.byCode, book.code)
	for _, t := range book.terms() {
		delete(c.byTerm[t], book)
		if len(c.byTerm[t]) == 0 {
			delete(c.byTerm, t)
		}
	}
	*book = fields
	c.add(book)
}

// restock adds count pieces, or takes away if it is negative.
func (c *Catalogue) restock(book *Book, count int64) {
	book.stock += count
	c.changed = true
}

// sorted returns all books by code.
func (c *Catalogue) sorted() []*Book {
	all := make([]*Book, 0, len(c.byCode))
	for _, book := range c.byCode {
		all = append(all, book)
	}
	return byCode(all)
}

// with returns the books that have a term, by code.
func (c *Catalogue) with(field, value string) []*Book {
	found := c.byTerm[term{field, value}]
	books := make([]*Book, 0, len(found))
	for book := range found {
		books = append(books, book)
	}
	return byCode(books)
}

func byCode(books []*Book) []*Book {
	sort.Slice(books, func(i, j int) bool { return books[i].code < books[j].code })
	return books
}

// terms lists what the book is found by.
func (b *Book) terms() []term {
	var terms []term
	if b.title != "" {
		terms = append(terms, term{"title", b.title})
	}
	if b.author != "" {
		terms = append(terms, term{"author", b.author})
	}
	if b.keys != "" {
		for _, key := range strings.Split(b.keys, "|") {
			terms = append(terms, term{"key", key})
		}
	}
	return terms
}
