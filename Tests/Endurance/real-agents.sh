#!/bin/bash
# Runs Claude Code and Codex beside the tools, in a network namespace without a route, against models that are played
# and counted. Checks that hooks, gates, states and controls do what they say, and that the sums of agent-run,
# agent-adopt, chat-log and a hub's telemetry are those of the models, to the last digit, or say what is unknown.
#
#   Tests/Endurance/real-agents.sh [--short] [--only NAME]...
#
# --short leaves out faults, compaction, kills, 20 sessions at once and the other protocols of telemetry. --only runs a
# scene, such as claude-print, or tells one check of it, such as claude-print/gate. The programs are installed from PyPI
# into .build/venv-agents, and see an empty home, a made-up key and nothing of the environment. Without them, or without
# leave to make namespaces, nothing is tried. A check awaits each thing for $AGENTPIPES_REAL_LIMIT seconds, else 240. The
# tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
words=()
while [ $# -gt 0 ]; do
  case $1 in
    --short) words+=(--short) ;;
    --only)
      words+=("${2:?real-agents.sh: --only needs a name}")
      shift
      ;;
    *)
      echo 'usage: real-agents.sh [--short] [--only NAME]...' >&2
      exit 64
      ;;
  esac
  shift
done
if [ ! -x "$bin/agent-adopt" ]; then
  echo "real-agents.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

# Its processes end with it, and see no others.
apart=(unshare --net --pid --fork --kill-child --mount-proc)
if ! "${apart[@]}" true 2>/dev/null; then apart+=(--map-root-user); fi
if ! command -v ip tmux >/dev/null || ! "${apart[@]}" ip link set lo up 2>/dev/null; then
  echo 'real-agents.sh: skipped: there is no ip(8) or tmux(1), or no leave to make namespaces'
  exit 0
fi
# shellcheck source=scripts/lib/peers
source "$root/scripts/lib/peers"
if ! install_peers agents; then
  echo 'real-agents.sh: skipped: the programs cannot be installed'
  exit 0
fi
packages=$("$peers" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || exit

scratch=$(mktemp -d) || exit
finish() {
  local link
  for link in "$scratch"/*/.codex/app-server-control/*.sock; do
    if [ -L "$link" ]; then rm -f "$(readlink "$link")" "$(readlink "$link").lock"; fi
  done
  rm -rf "$scratch"
}
trap finish EXIT

# shellcheck disable=SC2016
env -i PATH="$PATH" LANG=C.UTF-8 HOME="$scratch" PYTHONDONTWRITEBYTECODE=1 REAL_SCRATCH="$scratch" \
  ${AGENTPIPES_REAL_LIMIT:+REAL_LIMIT="$AGENTPIPES_REAL_LIMIT"} AGENTPIPES_BIN="$bin" \
  REAL_CLAUDE="$packages/claude_agent_sdk/_bundled/claude" REAL_CODEX="$packages/codex_cli_bin/bin/codex" \
  "${apart[@]}" bash -c 'ip link set lo up && "$@"; exit $?' bash \
  "$peers" "$root/Tests/Endurance/RealAgents/real_agents.py" "${words[@]}"
