#include <stdio.h>
#include <string.h>

#include "band.h"

int main(void) {
  char mode[16];
  if (scanf("%15s", mode) != 1) return 0;
  if (strcmp(mode, "serve") == 0) {
    getchar();
    serve();
  } else if (strcmp(mode, "play") == 0) {
    play();
  }
  return 0;
}
