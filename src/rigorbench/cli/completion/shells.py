"""The tree of commands as a script for bash, zsh and fish."""

from __future__ import annotations

from .tree import Node


def bash(root: Node) -> str:
    cases = "\n".join(_bash_case(node) for node in root.walk())
    return f"""# bash completion for rigor; written by `rigor completion bash`
_rigor() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} path="" word words="" values="" n
    local paths={_quoted(" " + " ".join("/".join(n.words) for n in root.walk() if n.words) + " ")}
    for ((n = 1; n < COMP_CWORD; n++)); do
        word=${{COMP_WORDS[n]}}
        [[ $paths == *" ${{path:+$path/}}$word "* ]] || break
        path=${{path:+$path/}}$word
    done
    case $path in
{cases}
    esac
    COMPREPLY=()
    if [[ -n $values ]]; then
        [[ $values == "*" ]] || {{ COMPREPLY=($(compgen -W "$values" -- "$cur")); return; }}
    elif [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi
    [[ ${{#COMPREPLY[@]}} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -o filenames -F _rigor rigor
"""


def _bash_case(node: Node) -> str:
    lines = [f"    {_quoted('/'.join(node.words))})"]
    taking = [o for o in node.options if o.values is not None]
    if taking:
        lines.append("        case $prev in")
        lines += [f"            {'|'.join(o.names)}) values={_quoted(' '.join(o.values or ['*']))} ;;" for o in taking]
        lines.append("        esac")
    named = [*(c.words[-1] for c in node.commands), *node.arguments]
    options = [name for o in node.options for name in o.names]
    if options:
        lines.append(f"        if [[ $cur == -* ]]; then words={_quoted(' '.join(options))};")
        lines.append(f"        else words={_quoted(' '.join(named))}; fi")
    else:
        lines.append(f"        words={_quoted(' '.join(named))}")
    return "\n".join([*lines, "        ;;"])


def zsh(root: Node) -> str:
    cases = "\n".join(_zsh_case(node) for node in root.walk())
    paths = " ".join(_quoted("/".join(n.words)) for n in root.walk() if n.words)
    return f"""#compdef rigor
# zsh completion for rigor; written by `rigor completion zsh`
_rigor() {{
    local at="" word n
    local -a paths named options
    local -A values
    paths=({paths})
    for ((n = 2; n < CURRENT; n++)); do
        word=${{at:+$at/}}$words[n]
        (( ${{paths[(Ie)$word]}} )) || break
        at=$word
    done
    case $at in
{cases}
    esac
    local previous=$words[CURRENT-1]
    if (( ${{+values[$previous]}} )); then
        if [[ -n $values[$previous] ]]; then compadd -- ${{=values[$previous]}}; else _files; fi
    elif [[ $PREFIX == -* ]]; then
        _describe option options
    elif (( ${{#named}} )); then
        _describe name named || _files
    else
        _files
    fi
}}
if [[ $funcstack[1] == _rigor ]]; then _rigor "$@"; else compdef _rigor rigor; fi
"""


def _zsh_case(node: Node) -> str:
    named = [_zsh_item(c.words[-1], c.about) for c in node.commands] + [_zsh_item(a, "") for a in node.arguments]
    options = [_zsh_item(name, o.about) for o in node.options for name in o.names]
    taking = [(name, " ".join(o.values)) for o in node.options if o.values is not None for name in o.names]
    return "\n".join(
        [
            f"    {_quoted('/'.join(node.words))})",
            f"        named=({' '.join(named)})",
            f"        options=({' '.join(options)})",
            f"        values=({' '.join(_quoted(part) for pair in taking for part in pair)})",
            "        ;;",
        ]
    )


def _zsh_item(name: str, about: str) -> str:
    escaped = name.replace(":", "\\:")
    return _quoted(f"{escaped}:{about}" if about else escaped)


def fish(root: Node) -> str:
    lines = ["# fish completion for rigor; written by `rigor completion fish`", "complete -c rigor -e"]
    lines += [_fish_function(root)]
    for node in root.walk():
        when = f"-n {_quoted('__rigor_at ' + '/'.join(node.words))}" if node.words else "-n '__rigor_at'"
        for child in node.commands:
            lines.append(f"complete -c rigor {when} -f -a {child.words[-1]} -d {_quoted(child.about)}")
        if node.arguments:
            lines.append(f"complete -c rigor {when} -f -a {_quoted(' '.join(node.arguments))}")
        for option in node.options:
            words = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
            takes = (
                ""
                if option.values is None
                else f" -x -a {_quoted(' '.join(option.values))}"
                if option.values
                else " -r"
            )
            lines.append(f"complete -c rigor {when} {words}{takes} -d {_quoted(option.about)}")
    return "\n".join(lines) + "\n"


def _fish_function(root: Node) -> str:
    paths = " ".join("/".join(n.words) for n in root.walk() if n.words)
    return f"""function __rigor_at
    set -l at
    for word in (commandline -opc)[2..]
        set -l next (string join -- / $at $word)
        contains -- $next {paths}; or break
        set at $next
    end
    test "$at" = "$argv[1]"
end"""


def _quoted(text: str) -> str:
    """One word of a shell, whatever it contains."""
    return "'" + text.replace("'", "'\\''") + "'"
