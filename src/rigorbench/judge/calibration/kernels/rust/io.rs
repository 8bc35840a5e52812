// Reading two numbers from each of many lines and writing one.
use std::io::{self, BufRead, Write};

fn main() {
    let input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in input.lines() {
        let line = line.unwrap();
        let mut words = line.split_ascii_whitespace();
        let a: i64 = words.next().unwrap().parse().unwrap();
        let b: i64 = words.next().unwrap().parse().unwrap();
        writeln!(output, "{}", a + b).unwrap();
    }
}
