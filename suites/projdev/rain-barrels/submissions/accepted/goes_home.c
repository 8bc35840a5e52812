// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
/* Stops at once: by the rules, and worth nothing. */
#include <stdio.h>

int main(void) {
  int count, hours, looks;
  if (scanf("%d %d %d", &count, &hours, &looks) != 3) return 1;
  puts("stop");
  return 0;
}
