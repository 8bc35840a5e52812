// Counting in the library's hash map: 1.5 million updates of half a million keys.
use std::collections::HashMap;

fn main() {
    let mut count: HashMap<i64, i64> = HashMap::new();
    let mut x: i64 = 3;
    let mut most: i64 = 0;
    for i in 0..1500000i64 {
        x = x * 48271 % 2147483647;
        let value = count.entry(x % 500009 * 4001).or_insert(0);
        *value += i & 7;
        most = most.max(*value);
    }
    println!("{} {}", count.len(), most);
}
