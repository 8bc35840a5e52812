// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
// Booked minutes: bookings sorted by their beginning, joined to blocks.
use std::io::Read;

struct Summary {
    booked: u64,
    blocks: u64,
    gap: u64,
}

fn step(x: &mut u64, end: u64) -> u64 {
    *x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*x >> 20) % end
}

fn bookings(text: &str) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().expect("a number");
        if words[0] != "many" {
            found.push((number(0), number(1)));
            continue;
        }
        let (mut x, span, length) = (number(2), number(3), number(4));
        for _ in 0..number(1) {
            let first = step(&mut x, span);
            found.push((first, first + step(&mut x, length)));
        }
    }
    found.retain(|booking| booking.0 < booking.1);
    found
}

fn summary(mut bookings: Vec<(u64, u64)>) -> Summary {
    bookings.sort_unstable();
    let mut found = Summary { booked: 0, blocks: 0, gap: 0 };
    let mut block: Option<(u64, u64)> = None;
    for (first, end) in bookings {
        block = match block {
            Some((begun, until)) if first <= until => Some((begun, until.max(end))),
            Some((begun, until)) => {
                found.booked += until - begun;
                found.blocks += 1;
                found.gap = found.gap.max(first - until);
                Some((first, end))
            }
            None => Some((first, end)),
        };
    }
    if let Some((begun, until)) = block {
        found.booked += until - begun;
        found.blocks += 1;
    }
    found
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input");
    let found = summary(bookings(&text));
    println!("booked {}\nblocks {}\ngap {}", found.booked, found.blocks, found.gap);
}
