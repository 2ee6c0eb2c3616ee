#!/bin/bash
# Reads documents that nobody would write and checks that no one crashes the reader, holds it up or
# gets through it what should not: control characters, links to scripts, another text the next time;
# and documents that grow, whose reading may grow no faster than they do, by the steps it counts.
#
#   Tests/Endurance/fuzz-reading.sh [--short] [--seconds N] [--seed N] [--pages FOLDER] [--plain]
#
# For 600 seconds each in a build of its own under AddressSanitizer, or, with --short, for 5 seconds
# with the program of $AGENTPIPES_BIN, else of .build/debug. --plain leaves the sanitizer out, and has
# the time of documents that grow looked at besides. Besides our own pages, those of FOLDER are mutated.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=600 seed=1 pages='' sanitizer=address short=false

while [ $# -gt 0 ]; do
  case $1 in
    --short) short=true seconds=5 ;;
    --plain) sanitizer='' ;;
    --seconds | --seed | --pages)
      declare "${1#--}=${2:?fuzz-reading.sh: $1 needs a value}"
      shift
      ;;
    *)
      echo "usage: fuzz-reading.sh [--short] [--seconds N] [--seed N] [--pages FOLDER] [--plain]" >&2
      exit 64
      ;;
  esac
  shift
done

cd "$root" || exit
if $short; then
  program=${AGENTPIPES_BIN:-.build/debug}/reading-fuzz
  if [ ! -x "$program" ]; then
    echo "fuzz-reading.sh: no program '$program': build it, or set AGENTPIPES_BIN" >&2
    exit 66
  fi
else
  # shellcheck source=scripts/lib/toolchain
  source scripts/lib/toolchain
  export AGENTPIPES_JUDGES=1
  options=(-c release --product reading-fuzz --scratch-path ".build/fuzz${sanitizer:+-$sanitizer}")
  if [ -n "$sanitizer" ]; then options+=(--sanitize=address); fi
  swift build "${options[@]}" </dev/null >&2 || exit
  program=$(swift build "${options[@]}" --show-bin-path 2>/dev/null)/reading-fuzz
fi

grow=yes
if ! $short && [ -z "$sanitizer" ]; then grow='times'; fi
"$program" --grow $grow --seed "$seed" --seconds "$seconds" || exit

state=$(mktemp)
trap 'rm -f "$state"' EXIT
arguments=(--seed "$seed")
if [ -n "$pages" ]; then arguments+=(--pages "$pages"); fi
"$program" "${arguments[@]}" --seconds "$seconds" --state "$state"
status=$?
if [ $status != 0 ]; then
  echo "fuzz-reading.sh: ended with $status; once more:" \
    "$program ${arguments[*]} --from $(cat "$state") --count 1" >&2
fi
exit $status
