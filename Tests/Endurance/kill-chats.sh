#!/bin/bash
# Kills chat-log by SIGKILL at random points while it seals everything anew, and while it imports, and
# checks that all chats are there and open: after an import all that came or nothing of it.
#
#   Tests/Endurance/kill-chats.sh [--short] [--seed N]
#
# 200 points, or 10 with --short; a run that ended before its point was reached is checked too, but
# not counted. The same seed chooses the same points. The tool is that of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
rounds=200
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) rounds=10 ;;
    --seed)
      seed=${2:?kill-chats.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-chats.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/chat-log" ]; then
  echo "kill-chats.sh: no tool in '$bin': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" AGENTPIPES_HOME="$scratch/home" TZ=UTC LANG=C.UTF-8
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME"

# 2400 turns, so that there are segments; and 1200 of other chats.
turns() {
  jq -cn --arg kind "$1" --argjson count "$2" 'range($count) | {
    type: "message", id: "\($kind)-\(.)", chatId: "\($kind)-\(. / 100 | floor)", role: "user",
    text: ("\($kind) word\(. % 97) " + ("and more of it " * 30)),
    createdAt: (1772013600 + . | todate)}'
}
turns kept 2400 >"$scratch/kept.ndjson"
turns new 1200 >"$scratch/new.ndjson"

now() { echo $(($(date +%s%N) / 1000)); }

# How long an unbroken run takes, in microseconds.
measure() {
  local start
  start=$(now)
  "$@" >/dev/null || exit
  echo $(($(now) - start))
}

chat-log import "$scratch/kept.ndjson" >/dev/null || exit
chat-log export | sort >"$scratch/kept"
sealing=$(measure chat-log rekey) || exit
importing=$(AGENTPIPES_HOME=$scratch/other measure chat-log import "$scratch/new.ndjson") || exit
cp -r "$scratch/home" "$scratch/whole"
AGENTPIPES_HOME=$scratch/whole chat-log import "$scratch/new.ndjson" >/dev/null || exit
AGENTPIPES_HOME=$scratch/whole chat-log export | sort >"$scratch/all"
if [ "$(wc -l <"$scratch/kept")" != 2424 ] || [ "$(wc -l <"$scratch/all")" != 3636 ]; then
  echo "kill-chats.sh: the unbroken runs did not keep 2400 and 3600 turns" >&2
  exit 1
fi

passed=0
failed=0
early=0
# An unbroken run at a busy moment takes longer than the later ones: points that they do not reach come closer.
spans=("$importing" "$sealing")
RANDOM=$seed
for ((round = 1; passed + failed < rounds && early < 3 * rounds; round++)); do
  if ((round % 2)); then
    command=(chat-log rekey)
  else
    command=(chat-log import "$scratch/new.ndjson")
    rm -rf "$AGENTPIPES_HOME"
    cp -r "$scratch/before" "$AGENTPIPES_HOME"
  fi
  delay=$(((RANDOM * 32768 + RANDOM) % spans[round % 2]))
  "${command[@]}" >/dev/null 2>&1 &
  runner=$!
  sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
  kill -KILL "$runner" 2>/dev/null
  wait "$runner" 2>/dev/null
  killed=$?

  problems=
  chat-log export | sort >"$scratch/now" || problems+="; the chats cannot be read"
  if ((round % 2)); then
    cmp -s "$scratch/kept" "$scratch/now" || problems+="; other chats"
    rm -rf "$scratch/before"
    cp -r "$AGENTPIPES_HOME" "$scratch/before"
  else
    cmp -s "$scratch/kept" "$scratch/now" || cmp -s "$scratch/all" "$scratch/now" ||
      problems+="; a part of an import"
  fi
  [ "$(chat-log search '"kept word96"' | wc -l)" = 24 ] || problems+="; not all is found"

  if [ -n "$problems" ]; then
    failed=$((failed + 1))
    echo "round $round (seed $seed), ${command[1]} killed after $delay µs: ${problems#; }"
  elif [ "$killed" = 137 ]; then
    passed=$((passed + 1))
  else
    early=$((early + 1))
    spans[round % 2]=$(((spans[round % 2] + delay) / 2 + 1))
  fi
  # An import that came through is taken back.
  if ! ((round % 2)); then
    rm -rf "$AGENTPIPES_HOME"
    cp -r "$scratch/before" "$AGENTPIPES_HOME"
  fi
done

echo "unbroken, sealing anew takes $((sealing / 1000)) ms, an import $((importing / 1000)) ms;" \
  "$early runs more ended before they could be killed"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$rounds" ]
