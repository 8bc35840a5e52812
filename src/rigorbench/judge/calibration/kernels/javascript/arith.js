// Integer (within 53 bits) and floating-point arithmetic in one long loop.
function main() {
  let x = 1, sum = 0, f = 0.0;
  for (let i = 0; i < 12000000; i++) {
    x = (x * 48271) % 2147483647;
    sum = (sum + (x & 255)) % 1000003;
    f = f * 0.5 + (x & 1023);
  }
  console.log(`${sum} ${Math.trunc(f)}`);
}

main();
