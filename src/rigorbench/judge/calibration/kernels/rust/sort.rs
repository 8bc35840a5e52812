// The library's sort over a million pseudo-random numbers.
fn main() {
    let n = 1000000;
    let mut a = vec![0i32; n];
    let mut x: i64 = 7;
    for value in a.iter_mut() {
        x = x * 48271 % 2147483647;
        *value = x as i32;
    }
    a.sort_unstable();
    let mut sum: i64 = 0;
    for i in 0..n {
        sum = (sum + (i % 7) as i64 * a[i] as i64) % 1000000007;
    }
    println!("{}", sum);
}
