#include "rigor_driver.hpp"

#include "stack.hpp"

#include <iostream>
#include <stdexcept>

int main() {
    Stack<int> stack;
    int count = 0;
    std::cin >> count;
    for (int i = 0; i < count; ++i) stack.push(i);
    int thrown = 0;
    for (int i = 0; i < count + 3; ++i) {
        try {
            rigor::out << stack.top() << ' ';
            stack.pop();
        } catch (const std::out_of_range&) {
            ++thrown;
        }
    }
    rigor::out << thrown << '\n';
    rigor::finish();
}
