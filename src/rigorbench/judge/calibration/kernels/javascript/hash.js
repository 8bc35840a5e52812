// Counting in the library's hash map: 1.5 million updates of half a million keys.
function main() {
  const count = new Map();
  let x = 3, most = 0;
  for (let i = 0; i < 1500000; i++) {
    x = (x * 48271) % 2147483647;
    const key = (x % 500009) * 4001;
    const value = (count.get(key) || 0) + (i & 7);
    count.set(key, value);
    if (value > most) most = value;
  }
  console.log(`${count.size} ${most}`);
}

main();
