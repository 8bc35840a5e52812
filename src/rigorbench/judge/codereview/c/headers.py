"""Names of headers that a compiler finds in its own directories, even if the submission has files of these names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

STANDARD = frozenset(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono cinttypes
    ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal
    cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype debugging
    deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional future
    generator hazard_pointer initializer_list inplace_vector iomanip ios iosfwd iostream istream iterator latch limits
    linalg list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random
    ranges ratio rcu regex scoped_allocator semaphore set shared_mutex simd source_location span spanstream sstream
    stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error
    text_encoding thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant
    vector version
    aio.h alloca.h assert.h byteswap.h complex.h cpio.h ctype.h dirent.h dlfcn.h elf.h endian.h errno.h error.h
    execinfo.h fcntl.h features.h fenv.h float.h fmtmsg.h fnmatch.h ftw.h getopt.h glob.h grp.h iconv.h ifaddrs.h
    immintrin.h inttypes.h iso646.h langinfo.h libgen.h limits.h link.h locale.h malloc.h math.h memory.h monetary.h
    mqueue.h ndbm.h netdb.h nl_types.h obstack.h paths.h poll.h pthread.h pty.h pwd.h regex.h resolv.h sched.h search.h
    semaphore.h setjmp.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h
    stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h stropts.h syscall.h syslog.h tar.h termios.h tgmath.h
    threads.h time.h trace.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmpx.h values.h wait.h wchar.h wctype.h
    wordexp.h x86intrin.h
    """.split()
)
_PARTS = ("bits/", "debug/", "pstl/", "parallel/", "backward/")
# Where compilers find headers.
_DIRECTORIES = re.compile(
    r"^(?:\.\./)*/?(?:usr/(?:local/)?include|usr/lib/gcc/[^/]+/[^/]+/include)/(?:[^/]+-linux-[^/]+/)?(?:c\+\+/[^/]+/)?"
)
# These take in the whole library, whatever it is that is forbidden.
EVERYTHING = frozenset({"bits/stdc++.h", "bits/extc++.h", "bits/stdtr1c++.h", "std", "std.compat"})
_INTERNAL_HEADER = re.compile(r"(?:.*/)?(?:stl_)?(.+?)(?:\.h|\.tcc|\.hpp)?")


def header_name(name: str) -> str:
    """The name of a header as a program should write it: an absolute or climbing path is the same header."""
    normalized = posixpath.normpath(name)
    if normalized.startswith(("/", "..")):
        return _DIRECTORIES.sub("", normalized)
    return normalized


def matches_any(name: str, globs: Sequence[str]) -> bool:
    """Whether the name of a header or module matches one of the globs."""
    name = posixpath.normpath(name)
    return any(fnmatchcase(name, glob) for glob in globs)


def forbidden_header(name: str, globs: Sequence[str]) -> str | None:
    """The forbidden header that an include of ``name`` pulls in, by the name alone; None when there is none.

    ``bits/stdc++.h`` includes all of them; ``bits/stl_vector.h``, ``debug/vector`` or an absolute path are ``vector``
    spelled differently.
    """
    normalized = posixpath.normpath(name)
    if matches_any(normalized, globs):
        return normalized
    if normalized in EVERYTHING:
        return next((glob for glob in globs if any(fnmatchcase(header, glob) for header in STANDARD)), None)
    internal = _INTERNAL_HEADER.fullmatch(normalized)
    if internal is None:
        return None
    if matches_any(internal[1], globs):
        return internal[1]
    # No program has a reason to include a part of a header of the library.
    return "a part of a header of the library" if normalized.startswith(_PARTS) else None
