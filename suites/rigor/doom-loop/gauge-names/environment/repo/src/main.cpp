#include <cstdio>
#include <string>
#include <vector>

#include "problem.hpp"
#include "reader.hpp"
#include "report.hpp"

namespace {

const char* const kUsage = "usage: weirbook NETWORK list [--stats]\n       weirbook NETWORK report LEVELS [--stats]";

std::string run(std::vector<std::string> words) {
    bool stats = false;
    if (!words.empty() && words.back() == "--stats") {
        stats = true;
        words.pop_back();
    }
    Pool pool;
    std::string out;
    if (words.size() == 2 && words[1] == "list") {
        out = list(Reader(pool).read(words[0]));
    } else if (words.size() == 3 && words[1] == "report") {
        const Network network = Reader(pool).read(words[0]);
        out = report(network, read_levels(words[2], network, pool));
    } else {
        throw Problem(kUsage);
    }
    if (stats) {
        out += std::to_string(pool.most()) + " bytes of text held at most\n";
    }
    return out;
}

}  // namespace

int main(int count, char** words) {
    try {
        std::fputs(run(std::vector<std::string>(words + 1, words + count)).c_str(), stdout);
        return 0;
    } catch (const Problem& problem) {
        std::fprintf(stderr, "weirbook: %s\n", problem.what());
        return 2;
    }
}
