#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "check.hpp"

namespace {

bool good = true;
std::string directory;

}  // namespace

Case::Case(const char* name, void (*test)()) : name(name), test(test) { cases().push_back(*this); }

std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

void failed(const char* file, int line, const std::string& what) {
    good = false;
    std::printf("# %s:%d: %s\n", file, line, what.c_str());
}

void check_equal(const char* file, int line, const std::string& expected, const std::string& found) {
    if (expected != found) {
        failed(file, line, "expected <" + expected + ">, found <" + found + ">");
    }
}

std::string written(const std::string& name, const std::string& text) {
    if (directory.empty()) {
        char place[] = "/tmp/weirbook-XXXXXX";
        directory = mkdtemp(place);
    }
    const std::string path = directory + "/" + name;
    for (std::size_t slash = path.find('/', directory.size() + 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
        mkdir(path.substr(0, slash).c_str(), 0777);
    }
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::fputs(text.c_str(), file);
    std::fclose(file);
    return path;
}

// Without words all tests, else those with one of the words in their names.
int main(int count, char** words) {
    int number = 0;
    int bad = 0;
    for (const Case& one : cases()) {
        bool wanted = count < 2;
        for (int i = 1; i < count; ++i) {
            wanted = wanted || std::string(one.name).find(words[i]) != std::string::npos;
        }
        if (!wanted) {
            continue;
        }
        good = true;
        try {
            one.test();
        } catch (const std::exception& error) {
            failed(one.name, 0, error.what());
        }
        bad += !good;
        std::printf("%s %d - %s\n", good ? "ok" : "not ok", ++number, one.name);
    }
    std::printf("1..%d\n", number);
    return bad == 0 ? 0 : 1;
}
