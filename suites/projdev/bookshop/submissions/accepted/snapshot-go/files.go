// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const (
	accountsFile = "accounts"
	booksFile    = "books"
	dealsFile    = "deals"
)

// A Shop is all that survives a run.
type Shop struct {
	accounts Accounts
	books    Catalogue
	deals    Deals
}

// load reads the shop, or makes a new one if this is the first run.
func load() (*Shop, error) {
	shop := &Shop{
		accounts: Accounts{byID: map[string]*Account{}},
		books:    Catalogue{byCode: map[string]*Book{}, byTerm: map[term]map[*Book]struct{}{}},
		deals:    newDeals(),
	}
	if err := readLines(accountsFile, 4, shop.loadAccount); err != nil {
		return nil, err
	}
	if err := readLines(booksFile, 6, shop.loadBook); err != nil {
		return nil, err
	}
	if err := shop.loadDeals(); err != nil {
		return nil, err
	}
	shop.accounts.changed, shop.books.changed = false, false
	if len(shop.accounts.byID) == 0 {
		shop.accounts.add(&Account{id: "owner", password: "owner", name: "owner", rank: owner})
	}
	return shop, nil
}

// save writes what has changed.
func (s *Shop) save() error {
	if s.accounts.changed {
		if err := writeFile(accountsFile, s.saveAccounts); err != nil {
			return err
		}
	}
	if s.books.changed {
		if err := writeFile(booksFile, s.saveBooks); err != nil {
			return err
		}
	}
	return s.saveDeals()
}

func (s *Shop) loadAccount(fields []string) error {
	rank, err := strconv.Atoi(fields[2])
	s.accounts.add(&Account{id: fields[0], password: fields[1], rank: rank, name: fields[3]})
	return err
}

func (s *Shop) saveAccounts(to *bufio.Writer) {
	for _, a := range s.accounts.sorted() {
		fmt.Fprintf(to, "%s\t%s\t%d\t%s\n", a.id, a.password, a.rank, a.name)
	}
}

func (s *Shop) loadBook(fields []string) error {
	price, err := strconv.ParseInt(fields[4], 10, 64)
	if err != nil {
		return err
	}
	stock, err := strconv.ParseInt(fields[5], 10, 64)
	s.books.add(&Book{fields[0], fields[1], fields[2], fields[3], price, stock})
	return err
}

func (s *Shop) saveBooks(to *bufio.Writer) {
	for _, b := range s.books.sorted() {
		fmt.Fprintf(to, "%s\t%s\t%s\t%s\t%d\t%d\n", b.code, b.title, b.author, b.keys, b.price, b.stock)
	}
}

func (s *Shop) loadDeals() error {
	file, err := os.Open(dealsFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	from := bufio.NewReader(file)
	var record [8]byte
	for {
		if _, err := io.ReadFull(from, record[:]); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("%s: %w", dealsFile, err)
		}
		s.deals.add(int64(binary.LittleEndian.Uint64(record[:])))
	}
	s.deals.saved = s.deals.count()
	return nil
}

func (s *Shop) saveDeals() error {
	if s.deals.saved == s.deals.count() {
		return nil
	}
	file, err := os.OpenFile(dealsFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	var records []byte
	for i := s.deals.saved; i < s.deals.count(); i++ {
		var record [8]byte
		binary.LittleEndian.PutUint64(record[:], uint64(s.deals.amount(i)))
		records = append(records, record[:]...)
	}
	if _, err = file.Write(records); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// readLines passes on the fields of each line of a file. No file is the same as an empty one.
func readLines(name string, fields int, take func([]string) error) error {
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		words := strings.Split(lines.Text(), "\t")
		if len(words) != fields {
			return fmt.Errorf("%s:%d: %d fields instead of %d", name, number, len(words), fields)
		}
		if err := take(words); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	return lines.Err()
}

// writeFile writes a file anew; the old one stays until the new one is complete.
func writeFile(name string, fill func(*bufio.Writer)) error {
	file, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(file, 1<<16)
	fill(to)
	if err := to.Flush(); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}
