// Adds in 32 bits (unsigned, so that it is defined): right for small sums, wrong for large ones.
#include <cstdio>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    unsigned total = 0;
    int value;
    for (int i = 0; i < n; ++i)
        if (std::scanf("%d", &value) == 1) total += static_cast<unsigned>(value);
    std::printf("%d\n", static_cast<int>(total));
}
