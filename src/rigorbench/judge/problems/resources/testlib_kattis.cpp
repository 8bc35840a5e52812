// Lets a checker written for testlib (input output answer; 0, 1, 2 ...) speak the Kattis contract (input answer
// feedback_dir < output; 42 or 43). It is compiled together with that checker: what is here runs before its main, starts
// the program once more as testlib knows it, and translates how that ended.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace {

const char* const MARK = "RIGOR_TESTLIB_CHECKER";

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

__attribute__((constructor)) void begin(int argc, char** argv) {
    if (std::getenv(MARK) || argc < 4) return;
    std::string directory = argv[3], output = directory + "output.testlib", said = directory + "judgemessage.txt";
    {
        std::ofstream copy(output, std::ios::binary);
        char buffer[1 << 16];
        ssize_t count;
        while ((count = read(0, buffer, sizeof buffer)) > 0) copy.write(buffer, count);
    }
    pid_t child = fork();
    if (child == 0) {
        setenv(MARK, "1", 1);
        if (!std::freopen(said.c_str(), "w", stderr)) std::_Exit(3);
        char* again[] = {argv[0], argv[1], &output[0], argv[2], nullptr};
        execv("/proc/self/exe", again);
        std::_Exit(3);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) std::_Exit(1);
    int code = WEXITSTATUS(status);
    if (code == 7) {
        std::istringstream words(contents(said));
        std::string word;
        double points = 0;
        if (!(words >> word >> points)) std::_Exit(1);
        std::ofstream(directory + "score.txt") << points << '\n';
        std::_Exit(42);
    }
    std::_Exit(code == 0 ? 42 : code == 1 || code == 2 || code == 4 || code == 8 ? 43 : 1);
}

}  // namespace
