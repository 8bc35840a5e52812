#!/bin/sh
# With -static or -s a sanitizer or valgrind could not intercept allocations.
objects='{objects}'
for word do
  shift
  case $word in
    -static|-static-pie|-s|-nostdlib|-nodefaultlibs|-nostartfiles|-fno-sanitize=*) continue ;;
    -c|-S|-E|-M|-MM|-fsyntax-only|--version|-v|-dumpversion|-dumpmachine|-print-*) objects= ;;
  esac
  set -- "$@" "$word"
done
exec {program} "$@" {flags} $objects
