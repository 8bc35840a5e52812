// Reading two numbers from each of many lines and writing one.
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    long long a, b;
    while (std::cin >> a >> b) std::cout << a + b << '\n';
}
