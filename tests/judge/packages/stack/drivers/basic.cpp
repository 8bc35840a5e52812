#include "rigor_driver.hpp"

#include "stack.hpp"

#include <iostream>
#include <string>

int main() {
    Stack<std::string> stack;
    for (std::string word; std::cin >> word;) {
        if (word == "-") {
            rigor::out << stack.top() << '\n';
            stack.pop();
        } else {
            stack.push(word + " (a text too long to be stored in place)");
        }
    }
    rigor::out << stack.size() << '\n';
    rigor::finish();
}
