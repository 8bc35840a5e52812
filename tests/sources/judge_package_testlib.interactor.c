
#include "testlib.h"
using namespace std;

int main(int argc, char* argv[]) {
    registerInteraction(argc, argv);
    int secret = inf.readInt();
    for (int turn = 1; turn <= 3; ++turn) {
        int guess = ouf.readInt(1, 100);
        cout << (guess == secret ? "yes" : "no") << endl;
        if (guess == secret) {
            tout << turn << endl;
            quitf(_ok, "%d turns", turn);
        }
    }
    quitf(_wa, "too many");
}
