// The library's sort over a million pseudo-random numbers.
function main() {
  const n = 1000000;
  const a = new Array(n);
  let x = 7, sum = 0;
  for (let i = 0; i < n; i++) {
    x = (x * 48271) % 2147483647;
    a[i] = x;
  }
  a.sort((p, q) => p - q);
  for (let i = 0; i < n; i++) sum = (sum + (i % 7) * a[i]) % 1000000007;
  console.log(sum);
}

main();
