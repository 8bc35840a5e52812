// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
//! Slots of 8 KiB in a file. Each holds a sorted list of keys, written word by word so that a word's cards cost four bytes each.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;

pub const WORD: usize = 40;
pub const SLOT: usize = 8192;
const CACHED: usize = 160;

pub type Word = [u8; WORD];
/// A word, filled up with zeros, and a card.
pub type Key = (Word, u32);

pub fn word(text: &str) -> Word {
    let mut bytes = [0; WORD];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes
}

fn length(word: &Word) -> usize {
    word.iter().position(|&byte| byte == 0).unwrap_or(WORD)
}

pub fn text(word: &Word) -> &str {
    std::str::from_utf8(&word[..length(word)]).expect("words are ASCII")
}

/// How many bytes more a list takes when `key` comes behind `before`.
pub fn cost(before: Option<&Key>, key: &Key) -> usize {
    match before {
        Some(previous) if previous.0 == key.0 => 4,
        _ => 4 + 3 + length(&key.0),
    }
}

pub fn size(keys: &[Key]) -> usize {
    let mut bytes = 2;
    for (at, key) in keys.iter().enumerate() {
        bytes += cost(at.checked_sub(1).map(|i| &keys[i]), key);
    }
    bytes
}

fn encode(keys: &[Key], bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.extend([0, 0]);
    let mut groups = 0u16;
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        let letters = length(&group[0].0);
        bytes.push(letters as u8);
        bytes.extend(&group[0].0[..letters]);
        bytes.extend((group.len() as u16).to_le_bytes());
        for key in group {
            bytes.extend(key.1.to_le_bytes());
        }
        groups += 1;
    }
    bytes[..2].copy_from_slice(&groups.to_le_bytes());
    bytes.resize(SLOT, 0);
}

fn decode(bytes: &[u8]) -> Vec<Key> {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize;
    let mut keys = Vec::new();
    let mut at = 2;
    for _ in 0..short(0) {
        let letters = bytes[at] as usize;
        let mut word = [0; WORD];
        word[..letters].copy_from_slice(&bytes[at + 1..at + 1 + letters]);
        at += 1 + letters;
        let count = short(at);
        at += 2;
        for card in bytes[at..at + 4 * count].chunks_exact(4) {
            keys.push((word, u32::from_le_bytes(card.try_into().expect("four bytes"))));
        }
        at += 4 * count;
    }
    keys
}

struct Held {
    keys: Vec<Key>,
    changed: bool,
    used: u64,
}

pub struct Store {
    file: File,
    slots: u32,
    pub unused: Vec<u32>,
    held: HashMap<u32, Held>,
    clock: u64,
    bytes: Vec<u8>,
}

impl Store {
    pub fn open(name: &str, slots: u32, unused: Vec<u32>) -> Store {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(name).expect("the blocks can be opened");
        Store { file, slots, unused, held: HashMap::new(), clock: 0, bytes: vec![0; SLOT] }
    }

    pub fn slots(&self) -> u32 {
        self.slots
    }

    fn write(&mut self, slot: u32, keys: &[Key]) {
        encode(keys, &mut self.bytes);
        assert!(self.bytes.len() == SLOT, "a block is too long");
        self.file.write_all_at(&self.bytes, u64::from(slot) * SLOT as u64).expect("a block can be written");
    }

    fn make_room(&mut self) {
        if self.held.len() < CACHED {
            return;
        }
        let oldest = *self.held.iter().min_by_key(|(_, held)| held.used).expect("there are blocks").0;
        let gone = self.held.remove(&oldest).expect("it was there");
        if gone.changed {
            self.write(oldest, &gone.keys);
        }
    }

    fn fetch(&mut self, slot: u32) -> &mut Held {
        self.clock += 1;
        if !self.held.contains_key(&slot) {
            self.make_room();
            let keys = self.read(slot);
            self.held.insert(slot, Held { keys, changed: false, used: 0 });
        }
        let held = self.held.get_mut(&slot).expect("it was just put there");
        held.used = self.clock;
        held
    }

    fn read(&mut self, slot: u32) -> Vec<Key> {
        self.file.read_exact_at(&mut self.bytes, u64::from(slot) * SLOT as u64).expect("a block can be read");
        decode(&self.bytes)
    }

    pub fn keys(&mut self, slot: u32) -> &[Key] {
        &self.fetch(slot).keys
    }

    pub fn change(&mut self, slot: u32) -> &mut Vec<Key> {
        let held = self.fetch(slot);
        held.changed = true;
        &mut held.keys
    }

    /// Takes a block out of the store; its slot can be used for another.
    pub fn take(&mut self, slot: u32) -> Vec<Key> {
        self.unused.push(slot);
        match self.held.remove(&slot) {
            Some(held) => held.keys,
            None => self.read(slot),
        }
    }

    pub fn add(&mut self, keys: &[Key]) -> u32 {
        let slot = self.unused.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.write(slot, keys);
        slot
    }

    pub fn save(&mut self) {
        for (slot, held) in std::mem::take(&mut self.held) {
            if held.changed {
                self.write(slot, &held.keys);
            }
        }
    }
}
