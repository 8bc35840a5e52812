// Lets a checker written for ACMOJ (input output answer score message; the score is a number from 0 to 1 in a file)
// speak the Kattis contract (input answer feedback_dir < output; 42 or 43). It is compiled together with that checker:
// what is here runs before its main, which then finds the arguments that it knows.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

const char* const MARK = "RIGOR_ACMOJ_FEEDBACK";
// Not a std::string: those of this file are made after `begin` ran, which would empty it again.
const char* feedback = nullptr;

// After the checker: its score becomes an exit code and a file.
void decide() {
    std::cout.flush();
    std::fflush(nullptr);
    std::string place = feedback;
    std::ifstream file(place + "score.acmoj");
    double score = 0;
    if (!(file >> score) || !std::isfinite(score)) {
        std::fprintf(stderr, "the checker wrote no score\n");
        std::_Exit(1);
    }
    std::ifstream message(place + "message.acmoj");
    std::ofstream(place + "judgemessage.txt") << message.rdbuf();
    if (score <= 0) std::_Exit(43);
    if (score < 1) std::ofstream(place + "score_multiplier.txt") << score << '\n';
    std::_Exit(42);
}

__attribute__((constructor)) void begin(int argc, char** argv) {
    feedback = std::getenv(MARK);
    if (feedback) {
        std::atexit(decide);
        return;
    }
    if (argc < 4) return;
    std::string directory = argv[3], output = directory + "output.acmoj";
    {
        std::ofstream copy(output, std::ios::binary);
        char buffer[1 << 16];
        ssize_t count;
        while ((count = read(0, buffer, sizeof buffer)) > 0) copy.write(buffer, count);
    }
    std::string score = directory + "score.acmoj", message = directory + "message.acmoj";
    setenv(MARK, directory.c_str(), 1);
    char* again[] = {argv[0], argv[1], &output[0], argv[2], &score[0], &message[0], nullptr};
    execv("/proc/self/exe", again);
    std::perror("the checker cannot be started again");
    std::_Exit(1);
}

}  // namespace
