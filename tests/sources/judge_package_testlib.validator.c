
#include "testlib.h"

int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    int n = inf.readInt(1, 100, "n");
    inf.readSpace();
    long long k = inf.readLong(0LL, 1000000000000LL, "k");
    inf.readEoln();
    for (int i = 0; i < n; ++i) {
        if (i) inf.readSpace();
        inf.readToken(format("[a-z]{1,%d}|(0|1)+", 5), "word");
    }
    inf.readEoln();
    ensuref(k != 13, "k must not be 13");
    inf.readEof();
}
