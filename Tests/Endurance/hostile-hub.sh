#!/bin/bash
# Does to hub-serve what hostile, slow and competing clients do: frames and messages that are none, too long or
# without end, rates and filters that cannot be, readers that do not read, 64 decisions at one gate, a control
# sent by 32 at once, texts that terminals obey, places in logs that are gone.
#
#   Tests/Endurance/hostile-hub.sh [--short]
#
# Both forms are the same. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)

case $* in
  '' | --short) ;;
  *)
    echo 'usage: hostile-hub.sh [--short]' >&2
    exit 64
    ;;
esac
exec "${AGENTPIPES_PYTHON:-python3}" "$root/Tests/Endurance/Hub/hostile_hub.py"
