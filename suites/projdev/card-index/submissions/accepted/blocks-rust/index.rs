// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
//! The card index: blocks of sorted keys, and a directory of them in memory that is written when the run ends.

use crate::store::{cost, size, Key, Store, Word, SLOT, WORD};
use std::fs;

const BLOCKS: &str = "index.blocks";
const DIRECTORY: &str = "index.directory";
/// New blocks are not quite full, so that single cards find room; two that fit into this are joined.
const FILLED: usize = SLOT * 9 / 10;
const SPARSE: usize = SLOT * 6 / 10;

/// A place between keys: before all that are not less.
pub type Bound = (Word, u64);

pub fn before(word: &Word) -> Bound {
    (*word, 0)
}

pub fn after(word: &Word) -> Bound {
    (*word, 1 << 32)
}

fn precedes(key: &Key, bound: &Bound) -> bool {
    (&key.0, u64::from(key.1)) < (&bound.0, bound.1)
}

struct Block {
    first: Key,
    last: Word,
    slot: u32,
    size: u32,
}

pub struct Index {
    store: Store,
    blocks: Vec<Block>,
    /// By block: number of keys, number of words, and whether its first word begins in an earlier block.
    entries: Vec<u32>,
    words: Vec<u32>,
    joined: Vec<bool>,
}

fn words_in(keys: &[Key]) -> u32 {
    keys.chunk_by(|a, b| a.0 == b.0).count() as u32
}

impl Index {
    // ------------------------------------------------------------------------------------------------ from run to run
    pub fn open() -> Index {
        let bytes = fs::read(DIRECTORY).unwrap_or_default();
        let mut numbers = bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
        let mut next = || numbers.next().unwrap_or(0);
        let (slots, unused, count) = (next(), next(), next());
        let unused = (0..unused).map(|_| next()).collect();
        let slots_used: Vec<u32> = (0..count).map(|_| next()).collect();
        let mut index = Index { store: Store::open(BLOCKS, slots, unused), blocks: vec![], entries: vec![], words: vec![], joined: vec![] };
        let rows = bytes.len() - count as usize * (2 * WORD + 16);
        for (slot, row) in slots_used.into_iter().zip(bytes[rows..].chunks_exact(2 * WORD + 16)) {
            let word = |at: usize| -> Word { row[at..at + WORD].try_into().expect("a word") };
            let number = |i: usize| u32::from_le_bytes(row[2 * WORD + 4 * i..2 * WORD + 4 * i + 4].try_into().expect("four bytes"));
            index.push(Block { first: (word(0), number(0)), last: word(WORD), slot, size: number(1) }, number(2), number(3));
        }
        index
    }

    pub fn save(&mut self) {
        self.store.save();
        let mut bytes: Vec<u8> = vec![];
        let mut number = |value: u32| bytes.extend(value.to_le_bytes());
        number(self.store.slots());
        number(self.store.unused.len() as u32);
        number(self.blocks.len() as u32);
        self.store.unused.iter().for_each(|&slot| number(slot));
        self.blocks.iter().for_each(|block| number(block.slot));
        for (i, block) in self.blocks.iter().enumerate() {
            bytes.extend(block.first.0);
            bytes.extend(block.last);
            for value in [block.first.1, block.size, self.entries[i], self.words[i]] {
                bytes.extend(value.to_le_bytes());
            }
        }
        fs::write(DIRECTORY, bytes).expect("the directory can be written");
    }

    // ----------------------------------------------------------------------------------------------------- directory
    fn push(&mut self, block: Block, entries: u32, words: u32) {
        self.joined.push(self.blocks.last().is_some_and(|before| before.last == block.first.0));
        self.blocks.push(block);
        self.entries.push(entries);
        self.words.push(words);
    }

    fn push_keys(&mut self, keys: &[Key]) {
        let block = Block { first: keys[0], last: keys[keys.len() - 1].0, slot: self.store.add(keys), size: size(keys) as u32 };
        self.push(block, keys.len() as u32, words_in(keys));
    }

    /// Takes all blocks from number `at` on out of the directory.
    fn split_off(&mut self, at: usize) -> Vec<(Block, u32, u32)> {
        self.joined.truncate(at);
        let (entries, words) = (self.entries.split_off(at), self.words.split_off(at));
        let blocks = self.blocks.split_off(at);
        blocks.into_iter().zip(entries).zip(words).map(|((block, entries), words)| (block, entries, words)).collect()
    }

    /// Where a key is, or would be.
    fn block_of(&self, key: &Key) -> usize {
        self.blocks.partition_point(|block| block.first <= *key).saturating_sub(1)
    }

    fn starts(&self, at: usize) -> u32 {
        self.words[at] - u32::from(self.joined[at])
    }

    /// After the keys of a block were changed.
    fn refresh(&mut self, at: usize) {
        let keys = self.store.keys(self.blocks[at].slot);
        let block = &mut self.blocks[at];
        (block.first, block.last, block.size) = (keys[0], keys[keys.len() - 1].0, size(keys) as u32);
        (self.entries[at], self.words[at]) = (keys.len() as u32, words_in(keys));
        for i in at..(at + 2).min(self.blocks.len()) {
            self.joined[i] = i > 0 && self.blocks[i - 1].last == self.blocks[i].first.0;
        }
    }

    // ------------------------------------------------------------------------------------------------------- changing
    pub fn has(&mut self, key: &Key) -> bool {
        if self.blocks.is_empty() {
            return false;
        }
        let slot = self.blocks[self.block_of(key)].slot;
        self.store.keys(slot).binary_search(key).is_ok()
    }

    pub fn put(&mut self, key: &Key) -> bool {
        if self.blocks.is_empty() {
            self.push_keys(&[*key]);
            return true;
        }
        let at = self.block_of(key);
        let slot = self.blocks[at].slot;
        let Err(place) = self.store.keys(slot).binary_search(key) else { return false };
        if self.blocks[at].size as usize + cost(None, key) + WORD + 7 > SLOT {
            return self.merge(&[*key]) == 1;
        }
        self.store.change(slot).insert(place, *key);
        self.refresh(at);
        true
    }

    pub fn drop(&mut self, key: &Key) -> bool {
        if !self.has(key) {
            return false;
        }
        let at = self.block_of(key);
        if self.entries[at] == 1 || (self.blocks[at].size as usize) < SPARSE / 3 {
            return self.weed(&before(&key.0), &after(&key.0), |found| found == key) == 1;
        }
        let keys = self.store.change(self.blocks[at].slot);
        let place = keys.binary_search(key).expect("it was there");
        keys.remove(place);
        self.refresh(at);
        true
    }

    /// Files sorted keys; returns how many were not there. Each block that gets some is written anew, as several if need be.
    pub fn merge(&mut self, added: &[Key]) -> usize {
        let Some(first) = added.first() else { return 0 };
        let start = self.block_of(first);
        let rest = self.split_off(start);
        let ends: Vec<Key> = rest.iter().skip(1).map(|(block, ..)| block.first).collect();
        let mut at = 0;
        let mut count = 0;
        for (i, (block, entries, words)) in rest.into_iter().enumerate() {
            let end = ends.get(i).map_or(added.len(), |end| at + added[at..].partition_point(|key| key < end));
            if at == end {
                self.push(block, entries, words);
                continue;
            }
            let mut keys = self.store.take(block.slot);
            let were = keys.len();
            keys.extend(&added[at..end]);
            keys.sort();
            keys.dedup();
            count += keys.len() - were;
            self.push_in_parts(&keys);
            at = end;
        }
        if at < added.len() {
            count += added.len() - at; // there was no block at all
            self.push_in_parts(&added[at..]);
        }
        count
    }

    fn push_in_parts(&mut self, keys: &[Key]) {
        let total = size(keys);
        let part = if total <= SLOT { SLOT } else { total.div_ceil(total.div_ceil(FILLED)) + WORD + 8 };
        let (mut from, mut filled) = (0, 2);
        for at in 0..keys.len() {
            let more = cost((at > from).then(|| &keys[at - 1]), &keys[at]);
            if filled + more > part.min(SLOT) {
                self.push_keys(&keys[from..at]);
                (from, filled) = (at, 2 + cost(None, &keys[at]));
            } else {
                filled += more;
            }
        }
        self.push_keys(&keys[from..]);
    }

    /// Removes what lies between two places and matches; joins the blocks that have become small.
    pub fn weed(&mut self, low: &Bound, high: &Bound, matches: impl Fn(&Key) -> bool) -> usize {
        let start = self.blocks.partition_point(|block| precedes(&block.first, low)).saturating_sub(2);
        let mut count = 0;
        let mut small: Vec<Key> = vec![];
        for (block, entries, words) in self.split_off(start) {
            let beyond = !precedes(&block.first, high);
            if small.is_empty() && (beyond || block.size as usize > SPARSE && block.last < low.0) {
                self.push(block, entries, words);
                continue;
            }
            let mut keys = self.store.take(block.slot);
            let were = keys.len();
            keys.retain(|key| precedes(key, low) || !precedes(key, high) || !matches(key));
            count += were - keys.len();
            small.append(&mut keys);
            if size(&small) > SPARSE {
                self.push_in_parts(&small);
                small.clear();
            }
        }
        if !small.is_empty() {
            self.push_in_parts(&small);
        }
        count
    }

    // --------------------------------------------------------------------------------------------------------- asking
    /// Number of words and of entries before a place.
    pub fn ahead(&mut self, bound: &Bound) -> (u32, u32) {
        let blocks = self.blocks.partition_point(|block| precedes(&block.first, bound));
        let Some(last) = blocks.checked_sub(1) else { return (0, 0) };
        let words: u32 = (0..last).map(|at| self.starts(at)).sum();
        let entries: u32 = self.entries[..last].iter().sum();
        let keys = self.store.keys(self.blocks[last].slot);
        let place = keys.partition_point(|key| precedes(key, bound));
        let within = words_in(&keys[..place]) - u32::from(self.joined[last]);
        (words + within, entries + place as u32)
    }

    /// Word number `number` of all, and the entries before it.
    pub fn word(&mut self, mut number: u32) -> Option<(Word, u32)> {
        let mut entries = 0;
        for at in 0..self.blocks.len() {
            if number < self.starts(at) {
                number += u32::from(self.joined[at]);
                for group in self.store.keys(self.blocks[at].slot).chunk_by(|a, b| a.0 == b.0) {
                    if number == 0 {
                        return Some((group[0].0, entries));
                    }
                    number -= 1;
                    entries += group.len() as u32;
                }
            }
            number -= self.starts(at);
            entries += self.entries[at];
        }
        None
    }

    /// Up to `most` keys from number `number` of all on.
    pub fn keys(&mut self, mut number: u64, most: usize) -> Vec<Key> {
        let mut found = vec![];
        for at in 0..self.blocks.len() {
            let here = u64::from(self.entries[at]);
            if number < here {
                let keys = &self.store.keys(self.blocks[at].slot)[number as usize..];
                found.extend(&keys[..keys.len().min(most - found.len())]);
                if found.len() == most {
                    break;
                }
            }
            number = number.saturating_sub(here);
        }
        found
    }
}
