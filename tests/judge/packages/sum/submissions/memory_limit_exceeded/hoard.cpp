#include <cstring>
#include <vector>
int main() {
    std::vector<char*> hoard;
    for (int i = 0; i < 4096; ++i) {
        hoard.push_back(new char[1 << 20]);
        std::memset(hoard.back(), 1, 1 << 20);
    }
    return hoard.size() == 4096 ? 0 : 1;
}
