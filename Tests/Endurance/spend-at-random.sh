#!/bin/bash
# Runs stage-run under --max-cost against a server that counts what it bills, while answers are cut,
# reset, stalled, refused and miscounted, counts are reported several times, lower ones last, and runs are
# interrupted, killed and resumed. What is billed never goes past the budget by more than one call's estimate,
# and no cost is told that is too low.
#
#   Tests/Endurance/spend-at-random.sh [--short] [--seed N]
#
# 1,000 runs, or 60 with --short. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
runs=1000
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) runs=60 ;;
    --seed)
      seed=${2:?spend-at-random.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: spend-at-random.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/stage-run" ]; then
  echo "spend-at-random.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

exec python3 "$root/Tests/Support/Servers/spend_at_random.py" "$bin" "$runs" "$seed"
