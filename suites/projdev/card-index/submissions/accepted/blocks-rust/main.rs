// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
//! The card index, in Rust: reads commands, answers them, saves.

mod index;
mod store;

use index::{after, before, Bound, Index};
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use store::{text, word, Key, Word};

const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const TAKEN_AT_ONCE: usize = 50_000;

fn step(x: u64) -> u64 {
    x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
}

fn drawer(stem: &str, seed: u64, count: u64, each: u64, cards: u64) -> Vec<Key> {
    let mut keys = Vec::with_capacity((count * each) as usize);
    let (mut x, mut y) = (seed, cards);
    for _ in 0..count {
        let mut name = word(stem);
        let mut at = stem.len();
        for _ in 0..2 {
            x = step(x);
            for i in 1..=12 {
                name[at] = LETTERS[(x >> (64 - 5 * i) & 31) as usize];
                at += 1;
            }
        }
        for _ in 0..each {
            y = step(y);
            keys.push((name, (y >> 32) as u32));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

struct Desk<'a> {
    index: Index,
    words: std::str::SplitAsciiWhitespace<'a>,
    out: String,
}

impl<'a> Desk<'a> {
    fn text(&mut self) -> &'a str {
        self.words.next().expect("a command has all its words")
    }

    fn number(&mut self) -> u64 {
        self.text().parse().expect("a number")
    }

    fn word(&mut self) -> Word {
        word(self.text())
    }

    fn key(&mut self) -> Key {
        (self.word(), self.number() as u32)
    }

    fn range(&mut self) -> (Bound, Bound) {
        (before(&self.word()), after(&self.word()))
    }

    fn line(&mut self, answer: &str) {
        self.out.push_str(answer);
        self.out.push('\n');
    }

    fn say(&mut self, answer: std::fmt::Arguments) {
        self.out.write_fmt(answer).expect("a string takes everything");
        self.out.push('\n');
    }

    /// First word and number of words, first entry and number of entries, of a range.
    fn span(&mut self, low: &Bound, high: &Bound) -> (u32, u32, u32, u32) {
        let (words, entries) = self.index.ahead(low);
        let (words_end, entries_end) = self.index.ahead(high);
        (words, words_end - words, entries, entries_end - entries)
    }

    fn chosen(&mut self, count: u32) -> (u64, usize) {
        let (skip, limit) = (self.number(), self.number());
        (skip, limit.min(u64::from(count).saturating_sub(skip)) as usize)
    }

    fn counted(&mut self, number: u32) -> Option<(Word, u32)> {
        let (name, first) = self.index.word(number)?;
        let end = self.index.ahead(&after(&name)).1;
        Some((name, end - first))
    }

    fn neighbour(&mut self, number: Option<u32>) {
        match number.and_then(|number| self.counted(number)) {
            Some((name, cards)) => self.say(format_args!("{} {cards}", text(&name))),
            None => self.line("error none"),
        }
    }

    fn cards(&mut self) {
        let name = self.word();
        let (_, _, first, count) = self.span(&before(&name), &after(&name));
        self.say(format_args!("cards {count}"));
        let (skip, shown) = self.chosen(count);
        if shown > 0 {
            for key in self.index.keys(u64::from(first) + skip, shown) {
                self.say(format_args!("{}", key.1));
            }
        }
    }

    fn words(&mut self) {
        let (low, high) = self.range();
        let (first, count, ..) = self.span(&low, &high);
        self.say(format_args!("words {count}"));
        let (skip, shown) = self.chosen(count);
        for i in 0..shown {
            let (name, cards) = self.counted(first + skip as u32 + i as u32).expect("it was counted");
            self.say(format_args!("{} {cards}", text(&name)));
        }
    }

    fn list(&mut self) {
        let (low, high) = self.range();
        let (_, _, first, count) = self.span(&low, &high);
        self.say(format_args!("entries {count}"));
        let (skip, shown) = self.chosen(count);
        if shown > 0 {
            for (name, card) in self.index.keys(u64::from(first) + skip, shown) {
                self.say(format_args!("{} {card}", text(&name)));
            }
        }
    }

    /// The cards of a word change over in parts, so that memory holds only one of them.
    fn relabel(&mut self) {
        let (from, to) = (self.word(), self.word());
        let (low, high) = (before(&from), after(&from));
        let mut moved = None;
        loop {
            let (_, _, first, count) = self.span(&low, &high);
            if count == 0 {
                break;
            }
            if from == to {
                return self.line("error same");
            }
            let keys = self.index.keys(u64::from(first), TAKEN_AT_ONCE.min(count as usize));
            let end = (from, u64::from(keys[keys.len() - 1].1) + 1);
            self.index.weed(&low, &end, |_| true);
            let keys: Vec<Key> = keys.into_iter().map(|(_, card)| (to, card)).collect();
            moved = Some(moved.unwrap_or(0) + self.index.merge(&keys));
        }
        match moved {
            Some(count) => self.say(format_args!("moved {count}")),
            None => self.line("error none"),
        }
    }

    fn answer(&mut self, command: &str) {
        match command {
            "put" => {
                let key = self.key();
                let answer = if self.index.put(&key) { "ok" } else { "error there" };
                self.line(answer);
            }
            "drop" => {
                let key = self.key();
                let answer = if self.index.drop(&key) { "ok" } else { "error none" };
                self.line(answer);
            }
            "has" => {
                let key = self.key();
                let answer = if self.index.has(&key) { "yes" } else { "no" };
                self.line(answer);
            }
            "bulk" => {
                let keys = drawer(self.text(), self.number(), self.number(), self.number(), self.number());
                let added = self.index.merge(&keys);
                self.say(format_args!("added {added}"));
            }
            "weed" => {
                let ((low, high), divisor, rest) = (self.range(), self.number(), self.number());
                let removed = self.index.weed(&low, &high, |key| u64::from(key.1) % divisor == rest);
                self.say(format_args!("removed {removed}"));
            }
            "count" => {
                let (low, high) = self.range();
                let (_, words, _, entries) = self.span(&low, &high);
                self.say(format_args!("{words} {entries}"));
            }
            "next" => {
                let name = self.word();
                let number = self.index.ahead(&after(&name)).0;
                self.neighbour(Some(number));
            }
            "prev" => {
                let name = self.word();
                let number = self.index.ahead(&before(&name)).0;
                self.neighbour(number.checked_sub(1));
            }
            "move" => self.relabel(),
            "cards" => self.cards(),
            "words" => self.words(),
            "list" => self.list(),
            _ => panic!("no command: {command}"),
        }
    }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("the commands can be read");
    let mut desk = Desk { index: Index::open(), words: input.split_ascii_whitespace(), out: String::new() };
    while let Some(command) = desk.words.next() {
        desk.answer(command);
    }
    desk.index.save();
    io::stdout().write_all(desk.out.as_bytes()).expect("the answers can be written");
}
