#!/bin/bash
# Pauses and terminates sessions with agent-control while their processes exit, fork, take another session, and while
# their ids are given to other processes. Checks that no signal reaches a process that does not have the session.
#
#   Tests/Endurance/adopt-identity.sh [--short] [--seed N]
#
# 10,000 races, or 200 with --short. The same seed chooses the same kinds. Ids are reused by clone3(2), which needs
# CAP_CHECKPOINT_RESTORE; without it, these races are left to the unit tests. The tools are those of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
races=10000
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) races=200 ;;
    --seed)
      seed=${2:?adopt-identity.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: adopt-identity.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/agent-adopt" ]; then
  echo "adopt-identity.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" TZ=UTC LANG=C.UTF-8 AGENTPIPES_HOME="$scratch/home"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME AGENTPIPES_HUB CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME OPENCODE_DB
mkdir -p "$HOME" "$AGENTPIPES_HOME/config"
# One user sends all controls within a minute.
printf '[limits]\ncontrols_per_minute = 1000000\nterminations_per_minute = 1000000\n' >"$AGENTPIPES_HOME/config/config.toml"
python3 "$root/Tests/Endurance/Adopt/races.py" "$races" "$seed"
