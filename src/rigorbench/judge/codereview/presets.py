"""Named sets of constructs that a rule can forbid, for each language that has them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class ConstructSet(Struct, frozen=True):
    """A named set of constructs: first those of C and C++, then "LANGUAGE:NAME" of the other languages."""

    what: str
    """The description that a finding shows."""
    std_types: frozenset[str] = frozenset()
    std_functions: frozenset[str] = frozenset()
    std_methods: frozenset[str] = frozenset()
    """As "type::method", or "*::method" for any type."""
    functions: frozenset[str] = frozenset()
    """Of the C library."""
    keywords: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    """Node types of a parse tree, such as "go:goto_statement"."""


PRESETS: Final[dict[str, ConstructSet]] = {
    "std-containers": ConstructSet(
        "a container of the standard library",
        std_types=_words(
            """
            vector deque list forward_list array bitset valarray inplace_vector map multimap set multiset unordered_map
            unordered_multimap unordered_set unordered_multiset flat_map flat_multimap flat_set flat_multiset stack
            queue priority_queue hash_map hash_set hash_multimap hash_multiset slist rope tree trie
            cc_hash_table gp_hash_table basic_branch list_update dynamic_bitset
            _Rb_tree _Hashtable _Vector_base _List_base _Deque_base _Fwd_list_base __hash_table __tree
            """
        ),
        functions=_words("hcreate hcreate_r tsearch tfind"),
    ),
    "std-algorithms": ConstructSet(
        "an algorithm of the standard library",
        std_functions=_words(
            """
            sort stable_sort partial_sort partial_sort_copy nth_element make_heap push_heap pop_heap sort_heap is_heap
            lower_bound upper_bound equal_range binary_search merge inplace_merge set_union set_intersection
            set_difference set_symmetric_difference includes next_permutation prev_permutation rotate reverse
            reverse_copy rotate_copy partition stable_partition unique unique_copy remove remove_if find find_if
            find_if_not find_first_of find_end search search_n adjacent_find count count_if accumulate reduce
            partial_sum inner_product transform_reduce min_element max_element minmax_element shuffle random_shuffle
            """
        ),
        std_methods=_words(
            """
            list::sort list::merge list::reverse list::unique list::remove list::remove_if
            forward_list::sort forward_list::merge forward_list::reverse forward_list::unique forward_list::remove
            forward_list::remove_if
            """
        ),
        functions=_words("qsort qsort_r bsearch lsearch lfind hsearch tsearch"),
    ),
    "goto": ConstructSet(
        "goto",
        keywords=_words("goto"),
        nodes=_words("go:goto_statement"),
    ),
    "asm": ConstructSet(
        "assembly",
        keywords=_words("asm"),
        nodes=_words("rust:macro:asm rust:macro:global_asm rust:macro:naked_asm"),
        modules=_words("rust:core::arch rust:std::arch"),
    ),
    "process": ConstructSet(
        "a call that starts another program",
        functions=_words(
            """
            system popen fork vfork clone clone3 execl execle execlp execv execve execvp execvpe execveat fexecve
            posix_spawn posix_spawnp pidfd_spawn pidfd_spawnp wordexp forkpty daemon syscall _Fork
            _IO_proc_open dlopen dlmopen dlsym dlvsym
            """
        ),
        modules=_words(
            """
            python:subprocess python:pty python:multiprocessing python:ctypes python:_posixsubprocess
            python:concurrent.futures.process python:asyncio.subprocess go:os/exec go:plugin go:C
            javascript:child_process javascript:cluster javascript:node:child_process javascript:node:cluster
            rust:std::process::Command rust:std::os::unix::process::CommandExt
            java:java.lang.ProcessBuilder
            """
        ),
        names=_words(
            """
            python:os.system python:os.popen python:os.fork python:os.forkpty python:os.posix_spawn
            python:os.posix_spawnp python:os.execl python:os.execle python:os.execlp python:os.execlpe python:os.execv
            python:os.execve python:os.execvp python:os.execvpe python:os.spawnl python:os.spawnle python:os.spawnlp
            python:os.spawnlpe python:os.spawnv python:os.spawnve python:os.spawnvp python:os.spawnvpe
            python:os.startfile python:posix.system python:posix.fork python:posix.execv python:posix.execve
            python:asyncio.create_subprocess_exec python:asyncio.create_subprocess_shell
            python:__import__
            go:syscall.Exec go:syscall.ForkExec go:syscall.StartProcess go:os.StartProcess go:syscall.Syscall
            go:syscall.Syscall6 go:syscall.Syscall9 go:syscall.RawSyscall go:syscall.RawSyscall6 go:syscall.forkExec
            go:syscall.AllThreadsSyscall go:syscall.AllThreadsSyscall6 go:golang.org/x/sys/unix.Exec
            rust:libc::system rust:libc::fork rust:libc::execv rust:libc::execve rust:libc::execvp rust:libc::popen
            java:ProcessBuilder java:Runtime.getRuntime java:Runtime.class javascript:process.binding
            """
        ),
    ),
    "network": ConstructSet(
        "network access",
        functions=_words(
            """
            socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg
            recvmmsg getaddrinfo getaddrinfo_a getnameinfo gethostbyname gethostbyname_r gethostbyname2
            gethostbyname2_r gethostbyaddr gethostbyaddr_r rcmd rcmd_af rexec rexec_af inet_pton inet_addr inet_aton
            res_query res_search syscall
            """
        ),
        modules=_words(
            """
            python:socket python:_socket python:ssl python:http python:urllib python:ftplib python:smtplib
            python:poplib python:imaplib python:xmlrpc python:requests python:httpx python:aiohttp python:socketserver
            go:net rust:std::net javascript:net javascript:http javascript:https javascript:http2 javascript:dgram
            javascript:tls javascript:dns javascript:node:net javascript:node:http javascript:node:https
            javascript:node:http2 javascript:node:dgram javascript:node:tls javascript:node:dns java:java.net
            java:java.nio.channels.SocketChannel
            """
        ),
        names=_words("javascript:fetch javascript:WebSocket javascript:XMLHttpRequest"),
    ),
    "dynamic-code": ConstructSet(
        "code that is created or loaded at run time",
        functions=_words("dlopen dlmopen dlsym dlvsym mprotect pkey_mprotect memfd_create mmap(PROT_EXEC) syscall"),
        modules=_words(
            """
            python:importlib python:imp python:runpy python:code python:codeop python:ctypes go:plugin
            javascript:vm javascript:node:vm javascript:module javascript:node:module java:javax.script java:javax.tools
            rust:libloading
            """
        ),
        names=_words(
            """
            python:eval python:exec python:compile python:__import__ python:globals python:locals python:vars
            javascript:eval javascript:Function java:Class.forName java:URLClassLoader java:ClassLoader
            java:*.loadClass java:*.getClassLoader java:*.getSystemClassLoader java:*.getContextClassLoader
            java:*.getPlatformClassLoader java:*.defineClass java:MethodHandles.lookup
            """
        ),
    ),
    "global-state": ConstructSet("global state that can change"),
    "raw-new": ConstructSet(
        "memory allocated outside a smart pointer",
        std_functions=_words("get_temporary_buffer"),
        std_methods=_words("*::allocate *::allocate_at_least *::allocate_bytes *::allocate_object *::new_object"),
        functions=_words(
            "malloc calloc realloc reallocarray aligned_alloc posix_memalign memalign valloc strdup strndup sbrk brk"
        ),
    ),
    "new-without-delete": ConstructSet("memory that is allocated and never released"),
    "using-namespace-std": ConstructSet("using namespace std"),
    "exceptions-swallowed": ConstructSet("an exception that is caught and ignored"),
    "unsafe": ConstructSet(
        "code that the language calls unsafe",
        keywords=_words("reinterpret_cast const_cast"),
        nodes=_words("rust:unsafe"),
        modules=_words("go:unsafe"),
        names=_words("java:Unsafe rust:std::mem::transmute rust:core::mem::transmute"),
    ),
}
