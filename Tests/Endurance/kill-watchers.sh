#!/bin/bash
# Kills writers, followers and watchers of the event log by SIGKILL at random points and checks that
# the log has whole events with ids that rise by one, that a follower saw them so, and that what is
# known of agents is what a recount of the log comes to.
#
#   Tests/Endurance/kill-watchers.sh [--short] [--seed N]
#
# 100 points, or 12 with --short. The same seed chooses the same points. The tools are those of
# $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
rounds=100
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) rounds=12 ;;
    --seed)
      seed=${2:?kill-watchers.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-watchers.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/agent-run" ]; then
  echo "kill-watchers.sh: no tool in '$bin': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" AGENTPIPES_HOME="$scratch/home" TZ=UTC LANG=C.UTF-8
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME"

# Some hundred lines in bursts, now and then an error, for as long as it is let.
work() {
  local burst line
  for ((burst = 1; ; burst++)); do
    for ((line = 0; line < 50; line++)); do echo "line $line of burst $burst"; done
    if ((burst % 4 == 0)); then echo "ERROR burst $burst went wrong" >&2; fi
    sleep 0.02
  done
}
export -f work

# rising FILE: whether the ids of the events in a file rise by one, the last line cut or not.
rising() {
  sed '$ { /}$/!d }' "$1" | jq -r '.id // empty' | awk -F- '
    NR > 1 && $2 != last + 1 { print "after " last " comes " $2; bad = 1 }
    { last = $2 }
    END { if (NR == 0) { print "no events"; bad = 1 }; exit bad }'
}

# known: what is known, without what depends on the moment it is asked at.
known() {
  local what
  for what in agents swarms incidents skills; do
    if [ "$what" = incidents ]; then set -- --all; else set --; fi
    agent-stat $what "$@" | jq -c 'del(.throughput, .errorRate, .history)' || return
  done
}

# Who is killed before anything is written leaves a log that has events all the same.
agent-run --swarm s --agent agent-0 --heartbeat 0.5s -- echo begun >/dev/null 2>&1 || exit

passed=0
failed=0
lost=0
RANDOM=$seed
for ((round = 1; passed + failed < rounds; round++)); do
  stream-tail --follow >"$scratch/followed" 2>"$scratch/follow.errors" &
  follower=$!
  agent-stat agents --watch >/dev/null 2>&1 &
  watcher=$!
  agent-run --swarm s --agent "agent-$((round % 5))" --heartbeat 0.5s -- \
    bash -c work >/dev/null 2>&1 &
  writer=$!
  victims=("$writer" "$follower" "$watcher")
  victim=${victims[RANDOM % 3]}
  sleep "0.$(printf %03d $((200 + RANDOM % 600)))"
  kill -KILL "$victim" 2>/dev/null
  wait "$victim" 2>/dev/null
  if [ "$victim" = "$writer" ]; then
    lost=$((lost + 1))
    sleep 0.1
  fi
  kill -TERM "$writer" "$watcher" 2>/dev/null
  wait "$writer" "$watcher" 2>/dev/null
  kill -TERM "$follower" 2>/dev/null
  wait "$follower" 2>/dev/null
  stream-tail >"$scratch/log" 2>"$scratch/log.errors"
  status=$?
  if [ $status = 0 ] && rising "$scratch/log" >"$scratch/found" &&
    { [ ! -s "$scratch/followed" ] || rising "$scratch/followed" >"$scratch/found"; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "round $round: stream-tail ended with $status"
    cat "$scratch/found" "$scratch/log.errors"
  fi
done

# Nobody has the log open any more: one that was killed left it to be recovered by who comes next.
agent-stat >/dev/null
# Who was killed is running until its heartbeat is missed: both looks come after that.
for _ in $(seq 3000); do
  if [ -z "$(agent-stat agents --status running)" ]; then break; fi
  sleep 0.1
done
mkdir -p "$scratch/other/data"
cp "$scratch"/home/data/events.db* "$scratch/other/data/"
known >"$scratch/kept"
AGENTPIPES_HOME=$scratch/other known >"$scratch/recounted"
if [ -s "$scratch/kept" ] && cmp -s "$scratch/kept" "$scratch/recounted"; then
  echo "$(wc -l <"$scratch/log") events, $lost writers killed; a recount comes to the same"
else
  failed=$((failed + 1))
  echo 'a recount comes to something else:'
  diff "$scratch/kept" "$scratch/recounted" | head -20
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
