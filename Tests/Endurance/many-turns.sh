#!/bin/bash
# Sixteen processes send a hundred prompts each, all at once, into one store that is new: each prompt and each
# answer is kept, and nothing fails.
#
#   Tests/Endurance/many-turns.sh [--short]
#
# --short sends eight each. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
processes=16 turns=100

case $* in
  '') ;;
  --short) turns=8 ;;
  *)
    echo 'usage: many-turns.sh [--short]' >&2
    exit 64
    ;;
esac
if [[ ! -x $bin/chat-send ]]; then
  echo "many-turns.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export AGENTPIPES_HOME=$scratch/home HOME=$scratch/user TZ=UTC LANG=C.UTF-8
export PATH=$bin:$PATH AGENTPIPES_MODEL=extractive
mkdir -p "$AGENTPIPES_HOME" "$HOME" "$scratch/work"
cd "$scratch/work" || exit
echo 'It rains on the hills for most of the winter, and the sea is calm.' >hills.txt

# The prompts of a process: the first begins a chat, the others go on with it.
send() {
  local turn chat=() id
  for ((turn = 1; turn <= turns; turn++)); do
    if ! chat-send -n "Process $1, turn $turn: it rains on hill $turn." --attach hills.txt "${chat[@]}" \
      >"$scratch/out.$1" 2>>"$scratch/errors"; then
      echo "process $1, turn $turn" >>"$scratch/failed"
    fi
    id=$(jq -r 'select(.type == "message" and .complete).chatId' "$scratch/out.$1")
    chat=(--chat "$id")
  done
}

touch "$scratch/errors" "$scratch/failed"
began=$SECONDS
workers=()
for ((process = 1; process <= processes; process++)); do
  send "$process" &
  workers+=($!)
done
wait "${workers[@]}"
seconds=$((SECONDS - began))

chat-log export >"$scratch/kept" 2>>"$scratch/errors" || echo 'export' >>"$scratch/failed"
count() { jq -s "map(select(.type == \"message\" and $1)) | length" "$scratch/kept"; }
chats=$(jq -s 'map(select(.type == "chat")) | length' "$scratch/kept")
asked=$(count '.role == "user"')
answered=$(count '.role == "assistant" and .complete')
distinct=$(jq -r 'select(.role == "user").text' "$scratch/kept" | sort -u | wc -l)
wanted=$((processes * turns))

echo "$asked prompts ($distinct different ones) and $answered whole answers in $chats chats are kept" \
  "of $wanted, $(wc -l <"$scratch/failed") failed, in $seconds s"
if [[ $chats = "$processes" && $asked = "$wanted" && $distinct = "$wanted" &&
  $answered = "$wanted" && ! -s $scratch/failed && ! -s $scratch/errors ]]; then
  exit 0
fi
head -n 20 "$scratch/failed" "$scratch/errors" >&2
exit 1
