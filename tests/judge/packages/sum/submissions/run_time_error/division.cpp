#include <cstdio>
#include <cstdlib>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1 || n != 1) std::abort();
    long long value;
    if (std::scanf("%lld", &value) == 1) std::printf("%lld\n", value);
}
