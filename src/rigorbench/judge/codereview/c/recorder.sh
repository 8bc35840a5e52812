#!/bin/sh
# The compiler of a build that is reviewed. It compiles what the preprocessor made of a source and nothing else. During the build it
# notes each call (RIGOR_CALLS). When repeat.sh repeats the calls (RIGOR_RECORDS), it keeps for every source the preprocessor's output
# and the compiled code, and for everything that is linked the digests of what goes in and comes out.
real={program}
to=${RIGOR_CALLS:-${RIGOR_RECORDS:-/w/units}}
# The build may have put programs of its own first.
PATH={path}
unset COMPILER_PATH GCC_EXEC_PREFIX LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT
for word do
  case $word in -E | -M | -MM | -fsyntax-only | --version | -v | -dump* | -print* | --help* | -'###') exec "$real" "$@" ;; esac
done
mkdir -p "$to"
at=$(mktemp -d "$to/u.XXXXXXXX") || exit 1
pwd > "$at/cwd"
[ "$RIGOR_RECORD_ONLY" != extra ] || : > "$at/extra"
printf '%s\n' "$@" > "$at/args"
printf '%s\n' "${real##*/}" > "$at/compiler"
newline='
'
# `options` are for every pass over a source, `depends` for the preprocessor, `more` for the compiler; "$@" becomes the
# command that links, with the objects of this call in the place of the sources.
skip= language= output= stage= plain= sources= options= depends= number=0
# The same call makes the same file each time.
more=-frandom-seed=rigor$newline
for word do
  shift
  case $skip in
    output) output=$word skip=; set -- "$@" "$word"; continue ;;
    language) language=${word#none} skip=; continue ;;
    link) skip=; set -- "$@" "$word"; continue ;;
    keep) skip= options=$options$word$newline; set -- "$@" "$word"; continue ;;
    depends) skip= depends=$depends$word$newline; continue ;;
  esac
  case $word in
    -o) skip=output ;;
    -o*) output=${word#-o} ;;
    -x) skip=language; continue ;;
    -x*) language=${word#-x} language=${language#none}; continue ;;
    -c | -S) stage=$word ;;
    -MF | -MT | -MQ) skip=depends depends=$depends$word$newline; continue ;;
    -MD | -MMD | -MP | -MG | -MF?* | -MT?* | -MQ?*) depends=$depends$word$newline; continue ;;
    -save-temps* | -Wl,* | -fuse-ld* | -L?* | -l*) ;;
    -flto*) more=$more$word$newline ;;
    -Xlinker | -Xassembler | -T | -u | -z | -e | -L) skip=link ;;
    -include | -imacros | -I | -isystem | -iquote | -idirafter | -D | -U | --param | -isysroot | -Xpreprocessor)
      skip=keep options=$options$word$newline ;;
    -?*) options=$options$word$newline ;;
    *)
      case $language:$word in
        *-header:* | :*.h | :*.hh | :*.hpp | :*.hxx | :*.H) plain=yes ;;
        assembler*:* | :*.s | :*.S | :*.sx)
          plain=yes
          printf '%s %s\n' "$(sha256sum < "$word" | cut -c 1-64)" "$word" >> "$at/inputs" ;;
        ?*:* | *.c | *.cc | *.cp | *.cpp | *.cxx | *.c++ | *.C | *.CPP | *.i | *.ii)
          number=$((number + 1))
          # What comes through a pipe can be read once.
          [ -f "$word" ] || { cat "$word" > "$at/$number.read" && word=$at/$number.read; }
          sources=$sources$language:$word$newline word=$at/$number.o ;;
      esac
      [ -z "$language" ] || [ "$word" = "$at/$number.o" ] || set -- "$@" -x "$language"
      set -- "$@" "$word"
      [ -z "$language" ] || [ "$word" = "$at/$number.o" ] || set -- "$@" -x none
      continue ;;
  esac
  set -- "$@" "$word"
done

IFS=$newline
set -f
digest() { sha256sum < "$1" | cut -c 1-64; }
fail() { rm -rf "$at"; exit "$1"; }
compile() { "$real" $options $more "${stage:--c}" "$@" -o "$made"; }
if [ -n "$RIGOR_REFUSED" ]; then
  # Not repeated: what the build left is all there is.
  : > "$at/refused"
  [ ! -f "${output:-a.out}" ] || digest "${output:-a.out}" > "$at/output"
  exit 0
fi
number=0 status=0
for source in $sources; do
  language=${source%%:*} path=${source#*:}
  number=$((number + 1))
  unit=$at/$number
  printf '%s\n' "$path" > "$unit.name"
  language=${language:+-x$newline$language}
  if ! "$real" $options $language -w -E -dD -dI $depends "$path" -o "$unit.ii" 2> "$unit.err"; then
    rm -f "$unit.ii"
    cat "$unit.err" >&2
    status=1
    continue
  fi
  kind=cpp-output
  grep -q '^#define __cplusplus ' "$unit.ii" && kind=c++-cpp-output
  # The compiler says whether this dialect has raw strings.
  printf 'R"(\n#define RIGOR_NOT_RAW\n)"\n' | "$real" $options -x "${kind%-cpp-output}" -w -E -dM - 2> /dev/null \
    | grep -q '^#define RIGOR_NOT_RAW' && : > "$unit.plain"
  sed 's/^#\(define\|undef\|include\|include_next\|import\) .*//' "$unit.ii" > "$unit.text"
  if [ -z "$RIGOR_RECORD_ONLY" ]; then
    made=$unit.o
    if [ -n "$stage" ]; then
      made=$(basename "${path%.*}") suffix=o
      [ "$stage" = -c ] || suffix=s
      made=${output:-$made.$suffix}
    fi
    if compile -x "$kind" "$unit.text" 2> "$unit.err"; then
      cat "$unit.err" >&2
    elif ! compile -w -x "$kind" "$unit.text" 2> "$unit.err"; then
      # A language of which the preprocessor leaves something to the compiler, such as modules.
      : > "$unit.apart"
      compile $language "$path" || status=$?
    fi
    [ -z "$stage" ] || digest "$made" >> "$at/output"
  fi
  [ -z "$RIGOR_CALLS" ] || { rm -f "$unit.text" "$unit.ii"; continue; }
  # Nothing may be inlined: what is called must be seen.
  sed -e 's/^#pragma GCC optimize.*//' -e 's/__gnu__::__always_inline__/__gnu__::__unused__/' "$unit.text" > "$unit.seen"
  "$real" $options -x "$kind" -w -S -O0 -g1 -fno-lto -fno-inline "$unit.seen" -o "$unit.s" 2> "$unit.err" || rm -f "$unit.s"
  rm -f "$unit.text" "$unit.seen"
done
[ -z "$RIGOR_RECORD_ONLY" ] || exit 0
[ "$status" = 0 ] || fail "$status"

if [ -n "$stage" ] || { [ -n "$plain" ] && [ "$number" = 0 ]; }; then
  # What is neither C nor C++ is compiled as it is; nothing says what it became.
  [ -z "$plain" ] && [ "$number" != 0 ] || "$real" "$@" || fail $?
  exit 0
fi
[ -n "$output" ] || output=a.out
# The linker says what it reads, in whatever way it was named.
"$real" "$@" "-Wl,--dependency-file=$at/linked" || fail $?
sed -n '2,/^$/s/^ *\(.*[^ \\]\)[ \\]*$/\1/p' "$at/linked" | while read -r path; do
  case $(realpath "$path" 2> /dev/null) in "" | "$at"/* | /usr/* | /opt/*) continue ;; esac
  [ -f "$path" ] || continue
  if [ "$(head -c 7 "$path")" = '!<arch>' ]; then
    members=$(mktemp -d) full=$(realpath "$path")
    (cd "$members" && ar x "$full") && [ "$(ar t "$full" | wc -l)" = "$(ls "$members" | wc -l)" ] || printf '? %s\n' "$path" >> "$at/inputs"
    for member in $(ls "$members"); do
      printf '%s %s\n' "$(digest "$members/$member")" "$path" >> "$at/inputs"
    done
    rm -rf "$members"
  else
    printf '%s %s\n' "$(digest "$path")" "$path" >> "$at/inputs"
  fi
done
[ -f "$output" ] && digest "$output" > "$at/output"
set +f
rm -f "$at"/*.o
