#!/bin/bash
# Reads configuration files that nobody would write: each is a configuration, or a fault that names its
# line, and nothing else. Verdicts and values are held against those of Python's tomllib. A misspelled setting
# is reported once, with the nearest known one.
#
#   Tests/Endurance/fuzz-configuration.sh [--short] [--seconds N] [--seed N]
#
# For 600 seconds, or, with --short, for 8; one in some thousands is read by a tool, too. The same seed
# makes the same files. The programs are those of $AGENTPIPES_BIN, else of .build/debug; Python is
# $AGENTPIPES_PYTHON, else that of .build/venv, of version 3.11 or newer.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
python=${AGENTPIPES_PYTHON:-$root/.build/venv/bin/python}
seconds=600 seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) seconds=8 ;;
    --seconds | --seed)
      declare "${1#--}=${2:?fuzz-configuration.sh: $1 needs a number}"
      shift
      ;;
    *)
      echo "usage: fuzz-configuration.sh [--short] [--seconds N] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

for program in configuration-judge ceo-plan; do
  if [ ! -x "$bin/$program" ]; then
    echo "fuzz-configuration.sh: no program '$bin/$program': build it, or set AGENTPIPES_BIN" >&2
    exit 66
  fi
done
if ! "$python" -c 'import tomllib' 2>/dev/null; then
  echo "fuzz-configuration.sh: '$python' is no Python with tomllib: set AGENTPIPES_PYTHON" >&2
  exit 66
fi

exec "$python" "$root/Tests/Endurance/Configuration/fuzz_configuration.py" --bin "$bin" --seconds "$seconds" \
  --seed "$seed"
