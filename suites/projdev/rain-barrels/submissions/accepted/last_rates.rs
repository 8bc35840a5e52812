// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// Empties where the most is expected from the rates seen so far; knows nothing of capacities, never looks.
use std::io::{self, BufRead, Write};

fn line(input: &mut impl BufRead) -> Vec<i64> {
    let mut text = String::new();
    input.read_line(&mut text).expect("the judge has gone");
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn main() {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let start = line(&mut input);
    let (count, hours) = (start[0] as usize, start[1]);
    let mut last = vec![0i64; count];
    let mut rate: Vec<Option<f64>> = vec![None; count];
    for hour in 1..=hours {
        let mut best = 0;
        let mut most = -1.0;
        for barrel in 0..count {
            let expected = rate[barrel].map_or(f64::INFINITY, |rate| rate * (hour - last[barrel]) as f64);
            if expected > most {
                (best, most) = (barrel, expected);
            }
        }
        writeln!(output, "empty {}", best + 1).expect("the judge has gone");
        output.flush().expect("the judge has gone");
        let seen = line(&mut input)[0] as f64 / (hour - last[best]) as f64;
        rate[best] = Some(rate[best].map_or(seen, |old| (old + seen) / 2.0));
        last[best] = hour;
    }
}
