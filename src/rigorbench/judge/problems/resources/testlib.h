// The usual calls of testlib for checkers, interactors, validators and simple generators, written for RigorBench.
//
// It follows testlib's documented interface and exit codes (0 ok, 1 wrong answer, 2 presentation error, 3 failed,
// 4 more output than expected, 7 points), not its text. A package's own copy of testlib beside a program is used
// instead of this one. Random numbers are not those of testlib: the tests of a package are files, not seeds.
#ifndef RIGOR_TESTLIB_H
#define RIGOR_TESTLIB_H

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _dirt = 4, _points = 5, _unexpected_eof = 8 };
enum TMode { _input, _output, _answer };
enum TTestlibMode { _unknown, _checker, _validator, _generator, _interactor };

const int EOFC = 255;
const char LF = 10, CR = 13, TAB = 9, SPACE = ' ';

inline TTestlibMode& testlibMode() {
    static TTestlibMode mode = _unknown;
    return mode;
}

inline std::string vformat(const char* text, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int size = std::vsnprintf(nullptr, 0, text, again);
    va_end(again);
    std::string result(size > 0 ? static_cast<std::size_t>(size) + 1 : 1, '\0');
    std::vsnprintf(&result[0], result.size(), text, arguments);
    result.pop_back();
    return result;
}

#ifdef __GNUC__
#define RIGOR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RIGOR_PRINTF(text, first)
#endif

RIGOR_PRINTF(1, 2) inline std::string format(const char* text, ...) {
    va_list arguments;
    va_start(arguments, text);
    std::string result = vformat(text, arguments);
    va_end(arguments);
    return result;
}

template <class T>
std::string vtos(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

template <class T>
std::string toString(const T& value) {
    return vtos(value);
}

// A long text cut in its middle, for messages.
inline std::string compress(const std::string& text) {
    return text.size() <= 64 ? text : text.substr(0, 30) + "..." + text.substr(text.size() - 31);
}

inline std::string englishEnding(int number) {
    number = std::abs(number) % 100;
    if (number / 10 == 1) return "th";
    switch (number % 10) {
        case 1: return "st";
        case 2: return "nd";
        case 3: return "rd";
        default: return "th";
    }
}

inline std::string lowerCase(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

inline std::string upperCase(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

inline bool isBlanks(int c) { return c == LF || c == CR || c == SPACE || c == TAB; }
inline bool isEof(int c) { return c == EOFC; }
inline bool isEoln(int c) { return c == LF || c == CR; }

inline std::string trim(const std::string& text) {
    std::size_t from = 0, to = text.size();
    while (from < to && isBlanks(text[from])) ++from;
    while (to > from && isBlanks(text[to - 1])) --to;
    return text.substr(from, to - from);
}

// `split` keeps empty parts, `tokenize` drops them.
inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == separator) parts.push_back("");
        else parts.back() += c;
    }
    return parts;
}

inline std::vector<std::string> tokenize(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (const std::string& part : split(text, separator))
        if (!part.empty()) parts.push_back(part);
    return parts;
}

inline double doubleDelta(double expected, double result) {
    double difference = std::fabs(result - expected);
    return std::fabs(expected) > 1e-9 ? std::min(difference, std::fabs(difference / expected)) : difference;
}

inline bool doubleCompare(double expected, double result, double most) {
    if (std::isnan(expected)) return std::isnan(result);
    if (std::isnan(result)) return false;
    if (std::isinf(expected) || std::isinf(result)) return expected == result;
    return doubleDelta(expected, result) <= most + 1e-15;
}

// -- patterns: characters, [sets], (groups|alternatives), and {n}, {n,}, {n,m}, ?, *, + after each ------------------

class pattern {
public:
    pattern(const std::string& text) : text_(text) {}
    pattern(const char* text) : text_(text) {}
    const std::string& src() const { return text_; }

    bool matches(const std::string& word) const {
        std::size_t place = 0;
        std::set<std::size_t> ends = alternatives(place, word, std::set<std::size_t>{0});
        return place == text_.size() && ends.count(word.size()) != 0;
    }

private:
    typedef std::set<std::size_t> Places;
    std::string text_;

    // Where a match that starts at one of `from` can end; `place` moves over the pattern.
    Places alternatives(std::size_t& place, const std::string& word, const Places& from) const {
        Places result;
        while (true) {
            Places ends = sequence(place, word, from);
            result.insert(ends.begin(), ends.end());
            if (place >= text_.size() || text_[place] != '|') return result;
            ++place;
        }
    }

    Places sequence(std::size_t& place, const std::string& word, Places from) const {
        while (place < text_.size() && text_[place] != '|' && text_[place] != ')') from = item(place, word, from);
        return from;
    }

    Places item(std::size_t& place, const std::string& word, const Places& from) const {
        std::size_t start = place;
        bool group = text_[place] == '(';
        std::vector<bool> chosen(256, false);
        if (group) {
            ++place;
            alternatives(place, word, Places());
            ++place;
        } else {
            chosen = characters(place);
        }
        long least = 1, most = 1;
        counts(place, least, most);
        if (!group) return run(chosen, least, most, word, from);
        Places result, now = from;
        if (least == 0) result = now;
        for (long count = 1; (most < 0 || count <= most) && !now.empty(); ++count) {
            std::size_t inner = start + 1;
            Places next = alternatives(inner, word, now);
            if (count >= least) {
                std::size_t before = result.size();
                result.insert(next.begin(), next.end());
                if (result.size() == before && count > least) break;
            }
            now = next;
        }
        return result;
    }

    Places run(const std::vector<bool>& chosen, long least, long most, const std::string& word, const Places& from) const {
        Places result;
        for (std::size_t start : from) {
            std::size_t end = start;
            for (long count = 0; most < 0 || count <= most; ++count) {
                if (count >= least) {
                    // The rest of this run was there before, from a start nearer to it.
                    result.insert(end);
                }
                if (end >= word.size() || !chosen[static_cast<unsigned char>(word[end])]) break;
                ++end;
            }
        }
        return result;
    }

    std::vector<bool> characters(std::size_t& place) const {
        std::vector<bool> chosen(256, false);
        if (text_[place] != '[') {
            if (text_[place] == '\\' && place + 1 < text_.size()) ++place;
            chosen[static_cast<unsigned char>(text_[place++])] = true;
            return chosen;
        }
        ++place;
        bool inverse = place < text_.size() && text_[place] == '^';
        if (inverse) ++place;
        while (place < text_.size() && text_[place] != ']') {
            if (text_[place] == '\\' && place + 1 < text_.size()) ++place;
            unsigned char first = static_cast<unsigned char>(text_[place++]), last = first;
            if (place + 1 < text_.size() && text_[place] == '-' && text_[place + 1] != ']') {
                last = static_cast<unsigned char>(text_[place + 1]);
                place += 2;
            }
            for (int c = first; c <= last; ++c) chosen[static_cast<std::size_t>(c)] = true;
        }
        ++place;
        if (inverse) chosen.flip();
        return chosen;
    }

    void counts(std::size_t& place, long& least, long& most) const {
        if (place >= text_.size()) return;
        char mark = text_[place];
        if (mark == '?' || mark == '*' || mark == '+') {
            least = mark == '+';
            most = mark == '?' ? 1 : -1;
            ++place;
        } else if (mark == '{') {
            char* end = nullptr;
            least = most = std::strtol(text_.c_str() + place + 1, &end, 10);
            if (*end == ',') {
                const char* second = end + 1;
                most = *second == '}' ? -1 : std::strtol(second, &end, 10);
                if (*second == '}') end = const_cast<char*>(second);
            }
            place = static_cast<std::size_t>(end - text_.c_str()) + 1;
        }
    }
};

// -- streams --------------------------------------------------------------------------------------------------------

class InStream {
public:
    TMode mode = _input;
    bool strict = false;
    std::string name;

    void open(int descriptor, TMode what, const std::string& shown) {
        descriptor_ = descriptor;
        mode = what;
        name = shown;
    }

    void open(const std::string& path, TMode what) {
        int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        open(descriptor, what, path);
        if (descriptor < 0) quit(_fail, "cannot be opened");
    }

    void setTestCase(int number) { test_case_ = number; }

    // Ends the program. What goes wrong in the input or the answer is not the submission's fault.
    [[noreturn]] void quit(TResult result, const char* text);
    [[noreturn]] void quit(TResult result, const std::string& text) { quit(result, text.c_str()); }
    [[noreturn]] RIGOR_PRINTF(3, 4) void quitf(TResult result, const char* text, ...) {
        va_list arguments;
        va_start(arguments, text);
        std::string message = vformat(text, arguments);
        va_end(arguments);
        quit(result, message);
    }
    RIGOR_PRINTF(4, 5) void quitif(bool condition, TResult result, const char* text, ...) {
        if (!condition) return;
        va_list arguments;
        va_start(arguments, text);
        std::string message = vformat(text, arguments);
        va_end(arguments);
        quit(result, message);
    }
    RIGOR_PRINTF(3, 4) void ensuref(bool condition, const char* text, ...) {
        if (condition) return;
        va_list arguments;
        va_start(arguments, text);
        std::string message = vformat(text, arguments);
        va_end(arguments);
        quit(_wa, message);
    }

    // The next character, EOFC at the end; not taken.
    int curChar() {
        if (place_ == size_ && !ended_) fill();
        return place_ == size_ ? EOFC : static_cast<unsigned char>(buffer_[place_]);
    }
    int nextChar() {
        int c = curChar();
        if (!atEnd()) take();
        return c;
    }
    int readChar() { return nextChar(); }
    int readChar(char wanted) {
        int c = nextChar();
        if (c != static_cast<unsigned char>(wanted)) quitf(_pe, "%s expected", shown(wanted).c_str());
        return c;
    }
    void skipChar() { nextChar(); }
    void unreadChar(int) {
        if (place_ > 0) --place_;
    }
    char readSpace() { return static_cast<char>(readChar(SPACE)); }

    bool eof() { return atEnd(); }
    bool eoln() { return atEnd() || isEoln(curChar()); }
    void skipBlanks() {
        while (!atEnd() && isBlanks(curChar())) take();
    }
    bool seekEof() {
        skipBlanks();
        return atEnd();
    }
    bool seekEoln() {
        while (!atEnd() && (curChar() == SPACE || curChar() == TAB)) take();
        return eoln();
    }
    void readEoln() {
        if (!strict && seekEoln() && atEnd()) return;
        if (curChar() == CR) take();
        if (atEnd() || curChar() != LF) quit(_pe, "Expected end of line");
        take();
    }
    void readEof() {
        if (!strict) skipBlanks();
        if (!atEnd()) quit(_pe, "Expected end of file");
        ended_by_program = true;
    }
    void nextLine() {
        while (!atEnd() && curChar() != LF) take();
        if (!atEnd()) take();
    }
    void skipLine() { nextLine(); }

    std::string readToken() {
        std::string token;
        readTokenTo(token);
        return token;
    }
    std::string readToken(const pattern& wanted, const std::string& variable = "") {
        std::string token = readToken();
        if (!wanted.matches(token))
            quit(_wa, named(variable) + " \"" + compress(token) + "\" does not match \"" + compress(wanted.src()) + "\"");
        return token;
    }
    void readTokenTo(std::string& token) {
        if (!strict) skipBlanks();
        token.clear();
        if (atEnd()) quit(_unexpected_eof, "Unexpected end of file - token expected");
        while (!atEnd() && !isBlanks(curChar())) {
            token += static_cast<char>(curChar());
            take();
        }
        if (token.empty()) quit(_pe, "Unexpected white space - token expected");
    }
    std::string readWord() { return readToken(); }
    std::string readWord(const pattern& wanted, const std::string& variable = "") { return readToken(wanted, variable); }
    void readWordTo(std::string& token) { readTokenTo(token); }

    std::string readLine() {
        if (atEnd()) quit(_unexpected_eof, "Unexpected end of file - line expected");
        std::string line;
        while (!atEnd() && curChar() != LF) {
            line += static_cast<char>(curChar());
            take();
        }
        if (!line.empty() && line[line.size() - 1] == CR) line.resize(line.size() - 1);
        if (!atEnd()) take();
        return line;
    }
    std::string readLine(const pattern& wanted, const std::string& variable = "") {
        std::string line = readLine();
        if (!wanted.matches(line))
            quit(_wa, named(variable) + " \"" + compress(line) + "\" does not match \"" + compress(wanted.src()) + "\"");
        return line;
    }
    void readLineTo(std::string& line) { line = readLine(); }
    std::string readString() { return readLine(); }
    std::string readString(const pattern& wanted, const std::string& variable = "") { return readLine(wanted, variable); }
    void readStringTo(std::string& line) { line = readLine(); }

    long long readLong() { return whole(readToken(), LLONG_MIN, LLONG_MAX); }
    long long readLong(long long least, long long most, const std::string& variable = "") {
        return ranged(readLong(), least, most, variable);
    }
    int readInt() { return static_cast<int>(whole(readToken(), INT_MIN, INT_MAX)); }
    int readInt(int least, int most, const std::string& variable = "") { return ranged(readInt(), least, most, variable); }
    int readInteger() { return readInt(); }
    int readInteger(int least, int most, const std::string& variable = "") { return readInt(least, most, variable); }
    unsigned long long readUnsignedLong() {
        std::string token = readToken();
        if (!digits(token, 0)) quit(_pe, "Expected unsigned integer, but \"" + compress(token) + "\" found");
        errno = 0;
        unsigned long long value = std::strtoull(token.c_str(), nullptr, 10);
        if (errno) quit(_pe, "Expected unsigned integer, but \"" + compress(token) + "\" found");
        return value;
    }
    unsigned long long readUnsignedLong(unsigned long long least, unsigned long long most, const std::string& variable = "") {
        return ranged(readUnsignedLong(), least, most, variable);
    }
    double readDouble() { return real(readToken()); }
    double readDouble(double least, double most, const std::string& variable = "") {
        return ranged(readDouble(), least, most, variable);
    }
    double readReal() { return readDouble(); }
    double readReal(double least, double most, const std::string& variable = "") { return readDouble(least, most, variable); }
    double readStrictDouble(double least, double most, int fewest, int longest, const std::string& variable = "") {
        std::string token = readToken();
        std::size_t point = token.find('.');
        long after = point == std::string::npos ? 0 : static_cast<long>(token.size() - point) - 1;
        if (token.find_first_of("eE") != std::string::npos || after < fewest || after > longest)
            quitf(_pe, "Expected %d to %d digits after the point, but \"%s\" found", fewest, longest, compress(token).c_str());
        return ranged(real(token), least, most, variable);
    }

    std::vector<int> readInts(int count, int least, int most, const std::string& variable = "", int = 1) {
        std::vector<int> values;
        for (int index = 0; index < count; ++index) {
            values.push_back(readInt(least, most, variable));
            between(index, count);
        }
        return values;
    }
    std::vector<int> readInts(int count) { return readInts(count, INT_MIN, INT_MAX); }
    std::vector<int> readIntegers(int count, int least, int most, const std::string& variable = "", int first = 1) {
        return readInts(count, least, most, variable, first);
    }
    std::vector<long long> readLongs(int count, long long least, long long most, const std::string& variable = "", int = 1) {
        std::vector<long long> values;
        for (int index = 0; index < count; ++index) {
            values.push_back(readLong(least, most, variable));
            between(index, count);
        }
        return values;
    }
    std::vector<long long> readLongs(int count) { return readLongs(count, LLONG_MIN, LLONG_MAX); }
    std::vector<std::string> readTokens(int count) {
        std::vector<std::string> values;
        for (int index = 0; index < count; ++index) {
            values.push_back(readToken());
            between(index, count);
        }
        return values;
    }

    bool ended_by_program = false;

private:
    int descriptor_ = -1;
    std::vector<char> buffer_ = std::vector<char>(1 << 16);
    std::size_t place_ = 0, size_ = 0;
    bool ended_ = false;
    int test_case_ = 0;

    bool atEnd() {
        if (place_ == size_ && !ended_) fill();
        return place_ == size_;
    }
    void take() { ++place_; }
    // What a pipe holds is taken as it comes: waiting for a full buffer would wait for ever in an interaction.
    void fill() {
        ssize_t got;
        do {
            got = ::read(descriptor_, buffer_.data(), buffer_.size());
        } while (got < 0 && errno == EINTR);
        place_ = 0;
        size_ = got > 0 ? static_cast<std::size_t>(got) : 0;
        ended_ = got <= 0;
    }
    void between(int index, int count) {
        if (strict && index + 1 < count) readSpace();
    }
    static std::string shown(char c) {
        return c == LF ? "end of line" : c == SPACE ? "space" : std::string("'") + c + "'";
    }
    static std::string named(const std::string& variable) {
        return variable.empty() ? "Token" : "Parameter [name=" + variable + "]";
    }
    static bool digits(const std::string& text, std::size_t from) {
        if (from >= text.size() || (text[from] == '0' && text.size() > from + 1)) return false;
        for (std::size_t i = from; i < text.size(); ++i)
            if (text[i] < '0' || text[i] > '9') return false;
        return true;
    }
    long long whole(const std::string& token, long long least, long long most) {
        bool negative = !token.empty() && token[0] == '-';
        errno = 0;
        long long value = std::strtoll(token.c_str(), nullptr, 10);
        if (!digits(token, negative) || (negative && token == "-0") || errno || value < least || value > most)
            quit(_pe, "Expected integer, but \"" + compress(token) + "\" found");
        return value;
    }
    double real(const std::string& token) {
        // No hexadecimal, no names such as nan.
        bool good = !token.empty() && token.find_first_not_of("0123456789+-.eE") == std::string::npos;
        char* end = nullptr;
        double value = std::strtod(token.c_str(), &end);
        if (!good || *end != '\0' || !std::isfinite(value))
            quit(_pe, "Expected double, but \"" + compress(token) + "\" found");
        return value;
    }
    template <class T>
    T ranged(T value, T least, T most, const std::string& variable) {
        if (value < least || value > most) {
            std::string what = variable.empty() ? "Number" : "Parameter [name=" + variable + "]";
            quit(_wa, what + " equals " + vtos(value) + ", violates the range [" + vtos(least) + ", " + vtos(most) + "]");
        }
        return value;
    }
};

inline InStream& rigor_stream(int which) {
    static InStream streams[3];
    return streams[which];
}
static InStream& inf = rigor_stream(0);
static InStream& ouf = rigor_stream(1);
static InStream& ans = rigor_stream(2);
static std::fstream& tout = *new std::fstream;
static std::string checkerName;

// -- endings --------------------------------------------------------------------------------------------------------

[[noreturn]] inline void rigor_leave(TResult result, const std::string& text, double points = 0) {
    const char* words[] = {"ok", "wrong answer", "wrong output format", "FAIL", "wrong output format", "points"};
    int code = result == _points ? 7 : result == _unexpected_eof ? 2 : static_cast<int>(result);
    if (testlibMode() == _validator && result != _ok) code = 3;
    tout.flush();
    std::fflush(stdout);
    if (result == _points) std::fprintf(stderr, "points %.10g %s\n", points, text.c_str());
    else std::fprintf(stderr, "%s %s\n", words[result == _unexpected_eof ? _pe : result], text.c_str());
    std::_Exit(code);
}

inline void InStream::quit(TResult result, const char* text) {
    std::string message = text;
    if (test_case_ > 0) message = "test case " + vtos(test_case_) + ": " + message;
    if (mode != _output && result != _ok && testlibMode() != _validator) {
        result = _fail;
        message = std::string(mode == _answer ? "answer" : "input") + ": " + message;
    }
    if (testlibMode() == _validator && result != _ok) result = _fail;
    if (result == _ok && testlibMode() == _checker && !ouf.seekEof())
        rigor_leave(_dirt, "Extra information in the output file");
    rigor_leave(result, message);
}

[[noreturn]] inline void quit(TResult result, const std::string& text) { ouf.quit(result, text); }
[[noreturn]] RIGOR_PRINTF(2, 3) inline void quitf(TResult result, const char* text, ...) {
    va_list arguments;
    va_start(arguments, text);
    std::string message = vformat(text, arguments);
    va_end(arguments);
    if (result == _fail) rigor_leave(_fail, message);
    ouf.quit(result, message);
}
RIGOR_PRINTF(3, 4) inline void quitif(bool condition, TResult result, const char* text, ...) {
    if (!condition) return;
    va_list arguments;
    va_start(arguments, text);
    std::string message = vformat(text, arguments);
    va_end(arguments);
    quit(result, message);
}
[[noreturn]] inline void quitp(double points, const std::string& text = "") { rigor_leave(_points, text, points); }
[[noreturn]] RIGOR_PRINTF(2, 3) inline void quitp(double points, const char* text, ...) {
    va_list arguments;
    va_start(arguments, text);
    std::string message = vformat(text, arguments);
    va_end(arguments);
    rigor_leave(_points, message, points);
}

template <class T>
[[noreturn]] void expectedButFound(TResult result, const T& expected, const T& found, const std::string& prepend = "") {
    std::string start = prepend.empty() ? "" : prepend + ": ";
    quit(result, start + "expected '" + compress(vtos(expected)) + "', found '" + compress(vtos(found)) + "'");
}

inline void rigor_ensure(bool condition, const char* text, int line) {
    if (!condition) rigor_leave(_fail, format("condition failed: \"%s\" (line %d)", text, line));
}
#define ensure(condition) rigor_ensure((condition), #condition, __LINE__)
RIGOR_PRINTF(2, 3) inline void ensuref(bool condition, const char* text, ...) {
    if (condition) return;
    va_list arguments;
    va_start(arguments, text);
    std::string message = vformat(text, arguments);
    va_end(arguments);
    rigor_leave(_fail, message);
}

RIGOR_PRINTF(1, 2) inline void setName(const char* text, ...) {
    va_list arguments;
    va_start(arguments, text);
    checkerName = vformat(text, arguments);
    va_end(arguments);
}
inline void setTestCase(int number) {
    for (int which = 0; which < 3; ++which) rigor_stream(which).setTestCase(number);
}
inline void unsetTestCase() { setTestCase(0); }

// A program that ends without saying what it found is broken; a validator must have read all of its input.
struct RigorEnd {
    ~RigorEnd() {
        if (testlibMode() == _validator) {
            if (!inf.ended_by_program) rigor_leave(_fail, "the validator ends without readEof");
        } else if (testlibMode() == _checker || testlibMode() == _interactor) {
            rigor_leave(_fail, "ends without a verdict (quitf)");
        }
    }
};

inline void rigor_register(TTestlibMode mode) {
    static RigorEnd end;
    (void)end;
    testlibMode() = mode;
}

inline void registerTestlibCmd(int argc, char* argv[]) {
    rigor_register(_checker);
    if (argc < 4) rigor_leave(_fail, "must be called with: input output answer");
    inf.open(std::string(argv[1]), _input);
    ouf.open(std::string(argv[2]), _output);
    ans.open(std::string(argv[3]), _answer);
}

inline void registerInteraction(int argc, char* argv[]) {
    rigor_register(_interactor);
    if (argc < 3) rigor_leave(_fail, "must be called with: input output [answer]");
    inf.open(std::string(argv[1]), _input);
    tout.open(argv[2], std::ios_base::out);
    if (!tout) rigor_leave(_fail, "the output cannot be written");
    ouf.open(0, _output, "stdin");
    if (argc > 3) ans.open(std::string(argv[3]), _answer);
}

// -- validators -----------------------------------------------------------------------------------------------------

class RigorValidator {
public:
    std::string testset() const { return testset_; }
    std::string group() const { return group_; }
    void addFeature(const std::string&) {}
    void feature(const std::string&) {}
    void read(int argc, char* argv[]) {
        for (int i = 1; i + 1 < argc; ++i) {
            if (std::string(argv[i]) == "--testset") testset_ = argv[i + 1];
            if (std::string(argv[i]) == "--group") group_ = argv[i + 1];
        }
    }

private:
    std::string testset_, group_;
};
static RigorValidator validator;

inline void registerValidation() {
    rigor_register(_validator);
    inf.open(0, _input, "stdin");
    inf.strict = true;
}
inline void registerValidation(int argc, char* argv[]) {
    registerValidation();
    validator.read(argc, argv);
}
inline void addFeature(const std::string&) {}
inline void feature(const std::string&) {}

// -- random numbers -------------------------------------------------------------------------------------------------

class random_t {
public:
    void setSeed(int argc, char* argv[]) {
        for (int i = 1; i < argc; ++i)
            for (const char* c = argv[i]; *c; ++c) mix(static_cast<unsigned char>(*c));
    }
    void setSeed(long long seed) { mix(static_cast<std::uint64_t>(seed)); }
    int next(int below) { return static_cast<int>(next(static_cast<long long>(below))); }
    long long next(long long below) {
        if (below < 1) rigor_leave(_fail, "random number below less than 1");
        std::uint64_t bound = static_cast<std::uint64_t>(below), limit = UINT64_MAX - UINT64_MAX % bound, value;
        do value = draw();
        while (value >= limit);
        return static_cast<long long>(value % bound);
    }
    int next(int from, int to) { return static_cast<int>(next(static_cast<long long>(from), static_cast<long long>(to))); }
    long long next(long long from, long long to) { return from + next(to - from + 1); }
    double next() { return static_cast<double>(draw() >> 11) / 9007199254740992.0; }
    double next(double to) { return next() * to; }
    double next(double from, double to) { return from + next() * (to - from); }
    // The largest (type > 0) or smallest (type < 0) of |type| + 1 numbers.
    int wnext(int below, int type) {
        int value = next(below);
        for (int i = std::abs(type); i > 0; --i) value = type > 0 ? std::max(value, next(below)) : std::min(value, next(below));
        return value;
    }
    int wnext(int from, int to, int type) { return from + wnext(to - from + 1, type); }
    template <class C>
    typename C::value_type any(const C& values) {
        typename C::const_iterator place = values.begin();
        std::advance(place, next(static_cast<long long>(values.size())));
        return *place;
    }
    std::vector<int> perm(int size, int first = 0) {
        std::vector<int> values;
        for (int i = 0; i < size; ++i) values.push_back(first + i);
        for (int i = 1; i < size; ++i) std::swap(values[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(next(i + 1))]);
        return values;
    }

private:
    std::uint64_t state_ = 0x9e3779b97f4a7c15ULL;
    void mix(std::uint64_t value) {
        state_ ^= value + 0x9e3779b97f4a7c15ULL;
        draw();
    }
    std::uint64_t draw() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
};
static random_t rnd;

template <class Iterator>
void shuffle(Iterator first, Iterator last) {
    for (Iterator i = first; i != last; ++i) std::iter_swap(i, first + rnd.next(static_cast<long long>(i - first) + 1));
}

inline void registerGen(int argc, char* argv[], int = 1) {
    rigor_register(_generator);
    rnd.setSeed(argc, argv);
}

#endif
