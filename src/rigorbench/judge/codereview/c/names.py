"""Name lookup in C++: what the submission declares and where, and what aliases and using directives mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..model import Undecidable
from ..tree import ancestors, text_of
from .lexer import Token
from .parsed import ParsedCode, Scope, scope_added, unqualified_name
from .project import CFile

if TYPE_CHECKING:
    from tree_sitter import Node

# Meanings of one name. Recursive aliases, or thousands of them, must not stall a review.
_MAX_MEANINGS = 200
_LIBRARIES = frozenset({"std", "__gnu_cxx", "__gnu_debug", "__gnu_pbds", "_GLIBCXX_STD_C", "_GLIBCXX_STD_A", "boost"})
# Words that are not joined to a following "::", as in "return ::system(x)".
_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl
    concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    __attribute__ __extension__ __inline __inline__ __restrict __restrict__ __typeof__ typeof __volatile__ __const
    """.split()
)
_CLASS_NODES = frozenset({"class_specifier", "struct_specifier", "union_specifier", "enum_specifier"})
_DECLARATOR_WRAPPERS = frozenset(
    {
        *("pointer_declarator", "reference_declarator", "array_declarator", "init_declarator", "function_declarator"),
        *("parenthesized_declarator", "attributed_declarator"),
    }
)


class Chain(NamedTuple):
    """A name as it is written.

    Attributes:
        names: The parts of "a::b::c".
        rooted: Whether "::" precedes it.
        first: The index of its first token.
        end: The index after its last token.
        after: The text of the next token.
    """

    names: tuple[str, ...]
    rooted: bool
    first: int
    end: int
    after: str


def chains(tokens: Sequence[Token]) -> Iterator[Chain]:
    """Every name that is not a member access (after "." or "->"), in the order of the text."""
    n, count = 0, len(tokens)
    while n < count:
        token = tokens[n]
        if token.kind != "name" or token.text in _KEYWORDS:
            n += 1
            continue
        rooted = n > 0 and tokens[n - 1].text == "::"
        before = tokens[n - 2 if rooted else n - 1].text if n > rooted else ""
        names, end = [token.text], n + 1
        while end + 1 < count and tokens[end].text == "::":
            following = end + 2 if tokens[end + 1].text == "template" else end + 1
            if following >= count or tokens[following].kind != "name":
                break
            names.append(tokens[following].text)
            end = following + 1
        if before not in (".", "->"):
            after = tokens[end].text if end < count else ""
            yield Chain(tuple(names), rooted and before != ">", n, end, after)
        n = end


class Declaration(NamedTuple):
    """One declaration of a name.

    Attributes:
        scope: The scope that contains it.
        is_function: Whether it can be called or constructed: a function or a class.
        only_in_file: The path of the file if it is inside a function, else "".
    """

    scope: Scope
    is_function: bool
    only_in_file: str


class Names:
    """The declarations, aliases and using directives of all files of a submission.

    Aliases and directives are over-approximated: each of them applies to all files and scopes.

    Raises:
        Undecidable: a file is too large or too deeply nested to be parsed.
    """

    def __init__(self, files: Sequence[CFile]) -> None:
        self.aliases: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.opened_namespaces: set[tuple[str, ...]] = set()
        # By enclosing namespace: the namespaces opened inside it, whose names can be used through it.
        self.opened_within: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.namespaces: set[str] = set()
        self.declarations: dict[str, list[Declaration]] = defaultdict(list)
        self.bases: dict[str, set[str]] = defaultdict(set)
        self._path = ""
        for file in files:
            self._read_directives([token for token in file.code if token.kind != "newline"])
        for file in files:
            self._path = file.source.path
            self._read_declarations(file.parsed)

    def resolve(self, names: tuple[str, ...]) -> set[tuple[str, ...]]:
        """All meanings of a name, with namespace aliases and namespaces that open others replaced in every way.

        Raises:
            Undecidable: there are too many.
        """
        found, pending = {names}, [names]
        while pending:
            current = pending.pop()
            for n, part in enumerate(current):
                targets = set(self.aliases.get(part, ()))
                if n + 1 < len(current) and not self._declares_in(part, current[n + 1]):
                    targets |= self.opened_within.get(part, set())
                for target in targets:
                    meaning = (*target, *current[n + 1 :])
                    if meaning not in found:
                        found.add(meaning)
                        pending.append(meaning)
            if len(found) > _MAX_MEANINGS:
                raise Undecidable(f"{'::'.join(names)[:80]}: has too many possible meanings")
        return found

    def _declares_in(self, namespace: str, name: str) -> bool:
        """Whether a namespace declares a name itself, which then hides the names that it opens."""
        return name in self.namespaces or any(
            namespace in declaration.scope for declaration in self.declarations.get(name, ())
        )

    @property
    def std_is_opened(self) -> bool:
        """Whether a using directive lets names of the standard library be used without "std::"."""
        return any(_is_library(found) for names in self.opened_namespaces for found in self.resolve(names))

    def library_parts(self, chain: Chain) -> set[str]:
        """All names after the library's namespace: "vector" and "iterator" of "std::vector::iterator"."""
        return {part for names in self.resolve(chain.names) if _is_library(names) for part in names[1:]}

    def is_own(self, name: str, scope: Scope, path: str, *, called: bool) -> bool:
        """Whether an unqualified name means a declaration of the submission.

        The declaration may be in the scope, in an enclosing scope, in a base class of an enclosing class, or in an
        opened namespace.

        ``called``: only a class or function counts, because a call does not mean a variable of that name.
        """
        enclosing = {scope[:n] for n in range(len(scope) + 1)}
        inherited = self._inherited(scope)
        for declaration in self.declarations.get(name, ()):
            if (called and not declaration.is_function) or declaration.only_in_file not in ("", path):
                continue
            if declaration.scope in enclosing or (declaration.scope and declaration.scope[-1] in inherited):
                return True
            if declaration.scope and declaration.scope in self.opened_namespaces:
                return True
        return False

    def _inherited(self, scope: Scope) -> set[str]:
        found: set[str] = set()
        pending = list(scope)
        while pending:
            for base in self.bases.get(pending.pop(), ()):
                if base not in found:
                    found.add(base)
                    pending.append(base)
        return found

    def _read_directives(self, tokens: Sequence[Token]) -> None:
        depth = 0
        enclosing: list[tuple[int, tuple[str, ...]]] = []
        for n, token in enumerate(tokens):
            if token.text == "{":
                depth += 1
            elif token.text == "}":
                depth -= 1
                while enclosing and enclosing[-1][0] > depth:
                    enclosing.pop()
            if token.text != "namespace" or token.kind != "name":
                continue
            target, end = _qualified_name(tokens, _skip_attributes(tokens, n + 1))
            if not target:
                continue
            following = tokens[end].text if end < len(tokens) else ""
            if n and tokens[n - 1].text == "using":
                self.opened_namespaces.add(target)
                for _, namespaces in enclosing:
                    for namespace in namespaces:
                        self.opened_within[namespace].add(target)
                continue
            if following != "=":
                enclosing.append((depth + 1, target))
                self.namespaces.update(target)
            if following == "=" and len(target) == 1:
                aliased, _ = _qualified_name(tokens, end + 1)
                if aliased:
                    self.aliases[target[0]].add(aliased)
            elif following in ("{", "[") and target[0] in _LIBRARIES:
                # Code inside std can use its names without qualification.
                self.opened_namespaces.add(target)

    def _read_declarations(self, parsed: ParsedCode) -> None:
        for node, scope in parsed.walk():
            if node.type in _CLASS_NODES:
                name = node.child_by_field_name("name")
                if name is not None and name.type == "type_identifier" and _declares(node):
                    self._add(text_of(name), scope, True)
                self._read_bases(node, name)
            elif node.type == "function_definition":
                self._read_function(node, scope)
            elif node.type == "alias_declaration":
                self._add(text_of(node.child_by_field_name("name")), scope, True)
            elif node.type == "enumerator":
                self._add(text_of(node.child_by_field_name("name")), scope[:-1] if scope else scope, False)
            elif node.type == "using_declaration" and scope:
                self._read_using(node, scope)
            elif node.type in ("declaration", "field_declaration", "type_definition"):
                for declarator in node.children_by_field_name("declarator"):
                    self._read_declarator(node, declarator, scope)
            elif node.type in ("parameter_declaration", "optional_parameter_declaration", "for_range_loop"):
                name = declarator_name(node.child_by_field_name("declarator"))
                if name is not None:
                    # A parameter may be callable.
                    self._add(text_of(name), scope, node.type != "for_range_loop" and bool(scope))

    def _read_using(self, node: Node, scope: Scope) -> None:
        """Record ``using a::name`` if the namespace is the submission's own and not the library's."""
        name = node.named_children[-1] if node.named_children else None
        parts = tuple(re.sub(r"\s+", "", text_of(name)).removeprefix("::").split("::"))
        if not any(child.type == "namespace" for child in node.children) and parts[0] in self.namespaces - _LIBRARIES:
            self._add(parts[-1], scope, True)

    def _read_function(self, node: Node, scope: Scope) -> None:
        declarator = node.child_by_field_name("declarator")
        name = declarator_name(declarator)
        if name is not None and name.type in ("identifier", "field_identifier"):
            self._add(text_of(name), scope, True)

    def _read_declarator(self, node: Node, declarator: Node, scope: Scope) -> None:
        name = declarator_name(declarator)
        if name is None or name.type not in ("identifier", "field_identifier", "type_identifier"):
            return
        is_function = any(n.type == "function_declarator" for n in _declarator_chain(declarator))
        if is_function and not scope and node.type == "declaration":
            return  # a prototype without a body may declare a C library function: int system(const char *);
        if is_function and any(p.type == "linkage_specification" for p in ancestors(node)):
            return
        is_local = bool(scope) and scope[-1].startswith("(")
        value = declarator.child_by_field_name("value")
        is_lambda = is_local and value is not None and value.type == "lambda_expression"
        is_callable = is_function or is_lambda or node.type == "type_definition"
        self._add(text_of(name), scope, is_callable)

    def _read_bases(self, node: Node, name: Node | None) -> None:
        for child in node.children:
            if child.type == "base_class_clause":
                self.bases[unqualified_name(name)].update(
                    unqualified_name(base) for base in child.named_children if base.type != "access_specifier"
                )

    def _add(self, name: str, scope: Scope, is_function: bool) -> None:
        only_in_file = self._path if any(part.startswith("(function") for part in scope) else ""
        declaration = Declaration(scope, is_function, only_in_file)
        if declaration not in self.declarations[name]:
            self.declarations[name].append(declaration)


def scope_at(parsed: ParsedCode, byte: int) -> Scope:
    """The scope at a byte of the parsed code."""
    node = parsed.tree.root_node.descendant_for_byte_range(byte, byte + 1)
    enclosing: list[Scope] = []
    inner = node
    while node is not None:
        # The name in a definition is outside the scope that it names; everything else is inside.
        if node is not inner:
            enclosing.append(scope_added(node))
        node = node.parent
    return tuple(part for added in reversed(enclosing) for part in added)


def _is_library(names: tuple[str, ...]) -> bool:
    return (names[0] in _LIBRARIES and names[0] != "boost") or names[:2] == ("boost", "container")


def _skip_attributes(tokens: Sequence[Token], position: int) -> int:
    """The position after "[[...]]"."""
    while position + 1 < len(tokens) and tokens[position].text == tokens[position + 1].text == "[":
        while position < len(tokens) and tokens[position].text != "]":
            position += 1
        position += 2
    return position


def _qualified_name(tokens: Sequence[Token], position: int) -> tuple[tuple[str, ...], int]:
    """A name "a::b" at a position, without a leading "::", and the position after it."""
    if position < len(tokens) and tokens[position].text == "::":
        position += 1
    names: list[str] = []
    while position < len(tokens) and tokens[position].kind == "name":
        if tokens[position].text not in ("inline",):
            names.append(tokens[position].text)
        position += 1
        if position >= len(tokens) or tokens[position].text != "::":
            break
        position += 1
    return tuple(names), position


def _declares(node: Node) -> bool:
    """Whether ``class X`` declares X: it has a body, or the declaration declares nothing else."""
    if node.child_by_field_name("body") is not None:
        return True
    parent = node.parent
    return parent is not None and (
        parent.type in ("template_declaration", "friend_declaration")
        or (parent.child_by_field_name("declarator") is None and parent.type not in ("type_descriptor", "declaration"))
    )


def _declarator_chain(declarator: Node | None) -> Iterator[Node]:
    while declarator is not None:
        yield declarator
        if declarator.type not in _DECLARATOR_WRAPPERS:
            return
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (c for c in declarator.named_children if c.type in _DECLARATOR_WRAPPERS or "identifier" in c.type), None
            )
        declarator = inner


def declarator_name(declarator: Node | None) -> Node | None:
    last = None
    for node in _declarator_chain(declarator):
        last = node
    return last if last is not None and last.type not in _DECLARATOR_WRAPPERS else None
