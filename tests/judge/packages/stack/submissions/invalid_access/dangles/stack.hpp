#pragma once
#include <cstddef>
#include <stdexcept>

template <class T>
class Stack {
    struct Node {
        T value;
        Node* below;
    };
    Node* top_ = nullptr;
    std::size_t size_ = 0;

public:
    Stack() = default;
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    ~Stack() {
        while (top_ != nullptr) pop();
    }
    void push(const T& value) {
        top_ = new Node{value, top_};
        ++size_;
    }
    void pop() {
        if (top_ == nullptr) throw std::out_of_range("empty");
        Node* gone = top_;
        top_ = gone->below;
        delete gone;
        volatile bool last = gone->below == nullptr;
        (void)last;
        --size_;
    }
    const T& top() const {
        if (top_ == nullptr) throw std::out_of_range("empty");
        return top_->value;
    }
    std::size_t size() const { return size_; }
};
