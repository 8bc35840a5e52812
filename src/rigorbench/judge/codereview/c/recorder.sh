#!/bin/sh
# The compiler of a build that is reviewed. During the build it notes each call. When repeat.sh repeats the calls, it keeps for every
# source what the preprocessor and the compiler make of it, and for everything that is linked the digests of what goes in and comes out.
real={program}
to=${RIGOR_RECORDS:-/w/units}
unset COMPILER_PATH GCC_EXEC_PREFIX LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT
# The same call makes the same file each time.
export SOURCE_DATE_EPOCH=1
[ -n "$RIGOR_RECORD_ONLY$RIGOR_REFUSED" ] || "$real" "$@" -frandom-seed=rigor || exit
for word do
  case $word in -E | -M | -MM | -fsyntax-only | --version | -v | -dump* | -print* | --help* | -'###') exit 0 ;; esac
done
[ -z "$RIGOR_CALLS" ] || to=$RIGOR_CALLS
mkdir -p "$to"
at=$(mktemp -d "$to/u.XXXXXXXX") || exit 1
pwd > "$at/cwd"
printf '%s\n' "${real##*/}" > "$at/compiler"
[ "$RIGOR_RECORD_ONLY" != extra ] || : > "$at/extra"
printf '%s\n' "$@" > "$at/args"
[ -z "$RIGOR_CALLS" ] || exit 0
[ -z "$RIGOR_REFUSED" ] || : > "$at/refused"
newline='
'
IFS=$newline
set -f
skip= language= output= whole=yes sources= inputs= folders=
for word do
  shift
  case $skip in
    output) output=$word skip=; continue ;;
    language) language=${word#none} skip=; continue ;;
    folder) folders=$folders$word$newline skip=; continue ;;
    linker)
      skip=
      case $word in -l* | [!-]*) inputs=$inputs$word$newline ;; esac
      continue ;;
    drop) skip=; continue ;;
    keep) skip=; set -- "$@" "$word"; continue ;;
  esac
  case $word in
    -o) skip=output; continue ;;
    -o*) output=${word#-o}; continue ;;
    -x) skip=language; continue ;;
    -x*) language=${word#-x} language=${language#none}; continue ;;
    -c) whole=; continue ;;
    -S) whole=; continue ;;
    -MD | -MMD | -MP | -MG | -MF?* | -MT?* | -MQ?* | -save-temps* | -flto* | -fuse-ld*) continue ;;
    -Wl,*)
      # What is no option may be a file that is linked.
      before=
      for part in $(printf '%s' "${word#-Wl,}" | tr ',' '\n'); do
        case $before:$part in
          -Map:* | -soname:* | -h:* | -rpath:* | -rpath-link:* | -z:* | --version-script:* | --dynamic-list:*) ;;
          *:-l* | *:[!-]*) inputs=$inputs$part$newline ;;
        esac
        before=$part
      done
      continue ;;
    -Xlinker) skip=linker; continue ;;
    -MF | -MT | -MQ | -Xassembler | -T | -u | -z | -e) skip=drop; continue ;;
    -L) skip=folder; continue ;;
    -L*) folders=$folders${word#-L}$newline; continue ;;
    -l*) inputs=$inputs$word$newline; continue ;;
    -include | -imacros | -I | -isystem | -iquote | -idirafter | -D | -U | --param | -isysroot | -Xpreprocessor) skip=keep ;;
    -*) ;;
    *)
      case $language:$word in
        ?*:*) sources=$sources$language:$word$newline ;;
        *.c | *.cc | *.cp | *.cpp | *.cxx | *.c++ | *.C | *.CPP | *.i | *.ii | *.s | *.S | *.sx | *.h | *.hh | *.hpp | *.hxx | *.H)
          sources=$sources:$word$newline ;;
        *) inputs=$inputs$word$newline ;;
      esac
      continue ;;
  esac
  set -- "$@" "$word"
done

number=0
[ -z "$RIGOR_REFUSED" ] || sources=
for source in $sources; do
  language=${source%%:*} path=${source#*:}
  [ -z "$output" ] && [ -z "$whole" ] && output=$(basename "${path%.*}").o
  case $language:$path in
    assembler*:* | *.s | *.S | *.sx)
      printf '%s %s\n' "$(sha256sum < "$path" | cut -c 1-64)" "$path" >> "$at/inputs"
      continue ;;
  esac
  number=$((number + 1))
  unit=$at/$number
  printf '%s\n' "$path" > "$unit.name"
  "$real" "$@" ${language:+-x$newline$language} -w -E -dD -dI "$path" -o "$unit.ii" 2> "$unit.err" || { rm -f "$unit.ii"; continue; }
  kind=cpp-output
  grep -q '^#define __cplusplus ' "$unit.ii" && kind=c++-cpp-output
  # The compiler says whether this dialect has raw strings.
  printf 'R"(\n#define RIGOR_NOT_RAW\n)"\n' | "$real" "$@" -x "${kind%-cpp-output}" -w -E -dM - 2> /dev/null \
    | grep -q '^#define RIGOR_NOT_RAW' && : > "$unit.plain"
  # Nothing may be inlined: what is called must be seen.
  sed -e 's/^#\(define\|undef\|include\|include_next\|import\) .*//' -e 's/^#pragma GCC optimize.*//' -e 's/__gnu__::__always_inline__/__gnu__::__unused__/' "$unit.ii" > "$unit.text"
  "$real" "$@" -x "$kind" -w -S -O0 -g1 -fno-lto -fno-inline "$unit.text" -o "$unit.s" 2> "$unit.err" || rm -f "$unit.s"
  rm -f "$unit.text"
done
digest() { sha256sum < "$1" | cut -c 1-64; }
for word in $inputs; do
  path=$word
  case $word in
    -l*)
      path=
      for folder in $folders; do
        for name in "lib${word#-l}.so" "lib${word#-l}.a" "${word#-l:}"; do
          [ -z "$path" ] && [ -f "$folder/$name" ] && path=$folder/$name
        done
      done ;;
  esac
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
[ -n "$output" ] || output=a.out
[ -f "$output" ] && digest "$output" > "$at/output"
exit 0
