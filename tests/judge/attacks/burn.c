#include "attack.h"
#include <time.h>
int main(int count, char **words) {
    double most = count > 1 ? atof(words[1]) : 1e9;
    while ((double)clock() / CLOCKS_PER_SEC < most) ;
}
