#!/bin/bash
# Runs two hubs whose records are in one PostgreSQL database, and breaks what can break. The hubs, the database
# and the clients are hosts of their own: network namespaces that a switch joins, with 1 ms on the way. They end
# with the processes that hold them.
#
#   Tests/Endurance/many-machines.sh [--short] [--seed N] [PART...]
#
#   kills    hubs are killed by SIGKILL under load from agents at both
#   races    two decide at a gate at once, at one hub each; requests are repeated at the other hub
#   cuts     links are cut one way and both ways, hubs stopped; the database is stopped, killed and failed over
#   clocks   the clock of one hub is an hour fast or slow
#   tables   psql reads what the API reports, and the hubs' role cannot change the audit
#
# All parts without one. It needs root, ip(8), PostgreSQL 15, and leave to make namespaces: without these, nothing
# is tried. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
options=(--kills 100 --races 10000 --repeats 1000 --cuts 40 --failures 10 --hours 1 -1)
seed=1 parts=()

while [ $# -gt 0 ]; do
  case $1 in
    --short) options=(--kills 3 --races 100 --repeats 50 --cuts 3 --failures 1 --hours 1) ;;
    --seed)
      seed=${2:-}
      shift
      ;;
    kills | races | cuts | clocks | tables) parts+=("$1") ;;
    *)
      echo 'usage: many-machines.sh [--short] [--seed N] [PART...]' >&2
      exit 64
      ;;
  esac
  shift
done
if ! command -v ip >/dev/null || ! unshare --net true 2>/dev/null; then
  echo 'many-machines.sh: nothing was tried: there is no ip(8), or no leave to make network namespaces'
  exit 0
fi
exec "${AGENTPIPES_PYTHON:-python3}" "$root/Tests/Endurance/ManyMachines/many_machines.py" --seed "$seed" \
  "${options[@]}" -- "${parts[@]}"
