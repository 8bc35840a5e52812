#!/bin/sh
# Repeats the calls of the compiler that a build has noted, now that nothing of the build runs any more, and records them. What the build
# wrote itself does not count: a call that it did not make leads to another program.
records=$(mktemp -d /w/XXXXXXXXXX) || exit 1
export RIGOR_RECORDS="$records" RIGOR_REFUSED
unset RIGOR_CALLS
# Nobody writes into a pipe any more: whoever reads it would wait for ever.
find /w -type p -delete 2> /dev/null
IFS='
'
set -f
for name in $(ls -rt /w/calls 2> /dev/null); do
  at=/w/calls/$name
  [ -f "$at/cwd" ] && [ -f "$at/args" ] && [ -f "$at/compiler" ] || continue
  cd -- "$(cat "$at/cwd")" 2> /dev/null || continue
  case $(cat "$at/compiler") in *++*) compiler=g++ ;; *) compiler=gcc ;; esac
  set -- $(cat "$at/args")
  RIGOR_REFUSED=
  for word do
    # What could start a program of the submission; few builds have long options.
    case $word in
      --param* | --std* | --sysroot* | --coverage | --pedantic*) ;;
      --* | -B* | -specs* | -fplugin* | -iplugindir* | -wrapper* | -no-integrated-cpp | -for-* | -plugin* | @*) RIGOR_REFUSED=yes ;;
      -W[alp],*plugin* | -W[alp],*@*) RIGOR_REFUSED=yes ;;
    esac
  done
  "/rigor/bin/$compiler" "$@" > /dev/null 2>&1 < /dev/null
done
cd /w && rm -rf units && mv "$records" units
