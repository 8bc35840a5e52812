// 64-bit integer and floating-point arithmetic in one long loop.
fn main() {
    let mut x: i64 = 1;
    let mut sum: i64 = 0;
    let mut f: f64 = 0.0;
    for _ in 0..12000000 {
        x = x * 48271 % 2147483647;
        sum = (sum + (x & 255)) % 1000003;
        f = f * 0.5 + (x & 1023) as f64;
    }
    println!("{} {}", sum, f as i64);
}
