
#include "testlib.h"
using namespace std;

// A sequence read by one function from both streams, and some of the usual calls.
vector<int> readAll(InStream& stream, int n) {
    vector<int> found;
    for (int i = 0; i < n; ++i) found.push_back(stream.readInt(-1000, 1000, "x"));
    return found;
}

int main(int argc, char* argv[]) {
    setName("%d numbers", 3);
    registerTestlibCmd(argc, argv);
    int n = inf.readInt(1, 10, "n");
    string mode = inf.readToken("[a-z]{1,9}");
    if (mode == "points") {
        double share = ouf.readDouble(0, 1);
        quitp(share, "share %.2f", share);
    }
    if (mode == "line") {
        string expected = ans.readLine(), found = ouf.readLine();
        if (expected != found)
            quitf(_wa, "expected '%s', found '%s'", compress(expected).c_str(), compress(found).c_str());
        quitf(_ok, "same");
    }
    if (mode == "real") {
        double a = ans.readDouble(), b = ouf.readReal();
        if (!doubleCompare(a, b, 1e-6)) quitf(_wa, "off by %.3g", doubleDelta(a, b));
        quit(_ok, "near");
    }
    if (mode == "forget") return 0;
    vector<int> expected = readAll(ans, n), found = readAll(ouf, n);
    for (int i = 0; i < n; ++i)
        if (expected[i] != found[i])
            expectedButFound(_wa, expected[i], found[i], format("%d%s", i + 1, englishEnding(i + 1).c_str()));
    ensuref(n > 0, "n is %d", n);
    quitf(_ok, "%d numbers", n);
}
