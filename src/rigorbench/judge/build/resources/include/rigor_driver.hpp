/* What the driver of a header problem uses to give its results.
 *
 *     #include "rigor_driver.hpp"     // first of all
 *     #include "heap.hpp"             // the submission
 *
 *     int main() {
 *         ...
 *         rigor::out << heap.size() << '\n';
 *         rigor::finish();            // the last thing that main does
 *     }
 *
 * Results leave through a descriptor that the submission does not know of, and count only when finish() was reached.
 * Standard output and standard error are for debugging: what the submission prints there is not looked at. In C, and
 * for speed, rigor_write(data, size) and rigor_finish() do the same.
 */
#ifndef RIGOR_DRIVER_HPP
#define RIGOR_DRIVER_HPP

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void rigor_write(const void *data, size_t size);
void rigor_finish(void);
#ifdef __cplusplus
}

#include <ostream>
#include <streambuf>

namespace rigor {
namespace detail {

class results_buffer : public std::streambuf {
  protected:
    int_type overflow(int_type value) override {
        if (!traits_type::eq_int_type(value, traits_type::eof())) {
            const char byte = traits_type::to_char_type(value);
            rigor_write(&byte, 1);
        }
        return traits_type::not_eof(value);
    }
    std::streamsize xsputn(const char *data, std::streamsize size) override {
        rigor_write(data, static_cast<size_t>(size));
        return size;
    }
};

struct results : private results_buffer, public std::ostream {
    results() : std::ostream(static_cast<results_buffer *>(this)) {}
};

}  // namespace detail

inline detail::results out;
inline void finish() { rigor_finish(); }

}  // namespace rigor
#endif
#endif
