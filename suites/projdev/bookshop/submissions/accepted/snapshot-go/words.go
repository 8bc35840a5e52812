// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

import (
	"strconv"
	"strings"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || isDigit(c)
}

// onlyOf tells whether a word has 1 to longest characters, all of which are allowed.
func onlyOf(word string, longest int, allowed func(byte) bool) bool {
	if len(word) == 0 || len(word) > longest {
		return false
	}
	for i := 0; i < len(word); i++ {
		if !allowed(word[i]) {
			return false
		}
	}
	return true
}

func validID(word string) bool   { return onlyOf(word, 30, isLetter) }
func validName(word string) bool { return len(word) <= 30 }
func validCode(word string) bool { return 1 <= len(word) && len(word) <= 20 }

func validText(word string) bool {
	return 1 <= len(word) && len(word) <= 60 && strings.IndexByte(word, '"') < 0
}

func validKey(word string) bool { return validText(word) && strings.IndexByte(word, '|') < 0 }

func validKeys(word string) bool {
	if !validText(word) {
		return false
	}
	seen := map[string]bool{}
	for _, key := range strings.Split(word, "|") {
		if key == "" || seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// parseCount reads a COUNT.
func parseCount(word string) (int64, bool) {
	if !onlyOf(word, 9, isDigit) || word[0] == '0' {
		return 0, false
	}
	count, err := strconv.ParseInt(word, 10, 64)
	return count, err == nil
}

// parseMoney reads a PRICE or a COST, in cents.
func parseMoney(word string) (int64, bool) {
	if len(word) > 10 {
		return 0, false
	}
	digits, fraction := word, "00"
	if dot := strings.IndexByte(word, '.'); dot >= 0 {
		digits, fraction = word[:dot], word[dot+1:]
		if !onlyOf(fraction, 2, isDigit) {
			return 0, false
		}
		fraction += strings.Repeat("0", 2-len(fraction))
	}
	if !onlyOf(digits, 10, isDigit) {
		return 0, false
	}
	cents, err := strconv.ParseInt(digits+fraction, 10, 64)
	return cents, err == nil
}

// appendMoney appends an amount with two digits behind the dot.
func appendMoney(to []byte, cents int64) []byte {
	to = strconv.AppendInt(to, cents/100, 10)
	return append(to, '.', byte('0'+cents%100/10), byte('0'+cents%10))
}
