#!/bin/bash
# Kills tool-call and chat-send by SIGKILL at random points while a server runs their calls. Checks that no
# server survives, and of chat-send that --continue repeats no call, and reports a call whose end is unknown.
#
#   Tests/Endurance/kill-tools.sh [--short] [--seed N]
#
# 200 points, or 10 with --short; a run that ended before its point was reached is checked too, but not counted. In
# every other round the server ignores the end of its input and SIGTERM. The same seed chooses the same points. The
# tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
rounds=200
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) rounds=10 ;;
    --seed)
      seed=${2:?kill-tools.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-tools.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/tool-call" ]; then
  echo "kill-tools.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
models=
cleanup() {
  [ -n "$models" ] && kill "$models" 2>/dev/null
  rm -rf "$scratch"
}
trap cleanup EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" TZ=UTC LANG=C.UTF-8
export ANTHROPIC_API_KEY=sk-ant-no-real-key-0000
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME"
python=$(HOME=~ python3 -c 'import sys; print(sys.executable)')

# Twelve calls, each with its own number: twelve records for tool-call, four rounds of three for a model.
echo '[{"name":"nap","inputSchema":{"type":"object"}}]' >"$scratch/tools.json"
jq -cn 'range(1; 13) | {type: "toolCall", id: "call_\(.)", source: "mcp:t", name: "nap", arguments: {n: .}}' \
  >"$scratch/calls.ndjson"
jq -cn '[range(4) as $round | {text: "Round \($round).", pace: 4, calls: [range(3) | ($round * 3 + . + 1) as $n |
  {id: "call_\($n)", name: "t__nap", arguments: ({n: $n} | tojson)}]}] + [{text: "Done.", times: 0, pace: 4}]' \
  >"$scratch/script.json"

# Starts the model server anew, with its script from the beginning.
serve_models() {
  if [ -n "$models" ]; then
    kill "$models" 2>/dev/null
    wait "$models" 2>/dev/null
  fi
  rm -f "$scratch/ready"
  "$python" "$root/Tests/Support/Servers/model_server.py" --stay --script "$scratch/script.json" \
    >"$scratch/ready" &
  models=$!
  until [ -s "$scratch/ready" ]; do
    kill -0 "$models" || exit 69
    sleep 0.01
  done
  ANTHROPIC_BASE_URL=http://127.0.0.1:$(jq -r .port "$scratch/ready")
  export ANTHROPIC_BASE_URL
}

# A home of its own for a round, with a server that is stubborn in every other one.
make_home() {
  export AGENTPIPES_HOME=$scratch/home
  rm -rf "$AGENTPIPES_HOME" "$scratch/log"
  mkdir -p "$AGENTPIPES_HOME/config"
  local stubborn=
  if (($1)); then stubborn=', "--stubborn"'; fi
  cat >"$AGENTPIPES_HOME/config/config.toml" <<END
[mcp.t]
command = ["$python", "$root/Tests/Support/Servers/tool_server.py", "$scratch/tools.json",
  "--log", "$scratch/log"$stubborn]
END
}

call=(tool-call --allow 'mcp:t/*' --jobs 2 -)
send=(chat-send -n 'Look.' --model claude-sonnet-4-6 --tool 'mcp:t/*' --allow 'mcp:t/*')
continue=(chat-send --continue --model claude-sonnet-4-6 --tool 'mcp:t/*' --allow 'mcp:t/*')

now() { echo $(($(date +%s%N) / 1000)); }

# How long an unbroken run takes, in microseconds; it has twelve results.
measure() {
  local start
  start=$(now)
  "$@" <"$scratch/calls.ndjson" >"$scratch/out" || exit
  echo $(($(now) - start))
  if [ "$(jq -r 'select(.type == "toolResult" and .error == null).id' "$scratch/out" | sort -u | wc -l)" != 12 ]; then
    echo "kill-tools.sh: the unbroken run has no twelve results" >&2
    exit 1
  fi
}

# The processes of the servers that are still there.
servers_left() {
  local process
  for process in $(jq -r 'select(.type == "started").process' "$scratch/log" 2>/dev/null); do
    if grep -q tool_server "/proc/$process/cmdline" 2>/dev/null; then echo "$process"; fi
  done
}

make_home 0
calling=$(measure "${call[@]}") || exit
make_home 0
serve_models
sending=$(measure "${send[@]}") || exit

# What is wrong with the chat, when it has been continued: each call has one result, and the server's log agrees.
chat_problems() {
  chat-log export >"$scratch/chat" || echo "; the chat cannot be read"
  jq -rn --slurpfile log <(cat "$scratch/log" 2>/dev/null) '
    [inputs | select(.type == "message")] as $turns |
    [$log[] | select(.type == "called").arguments.n] as $called |
    [$turns[] | .toolCalls[]? | .id] as $asked |
    [$turns[] | .toolResults[]?] as $results |
    (if ($called | length) != ($called | unique | length) then "; a call was repeated" else empty end),
    (if ($asked | sort) != ([$results[].id] | sort) then "; \($asked) but results of \([$results[].id])" else empty end),
    ($results[] | (.id[5:] | tonumber) as $n | ($called | index($n) != null) as $arrived |
      if .error == null then (if $arrived then empty else "; \(.id) has a result and was not called" end)
      elif .error.kind == "unknownOutcome" then empty
      elif .error.kind == "notSent" then (if $arrived then "; \(.id) is told as not sent" else empty end)
      else "; \(.id) failed with \(.error.code)" end),
    (if ($turns | length) > 0 and $turns[-1].text != "Done." then "; the chat does not end" else empty end)
  ' "$scratch/chat" || echo "; the chat is no stream of records"
}

passed=0
failed=0
early=0
unknown=0
# An unbroken run at a busy moment takes longer than the later ones: points that they do not reach come closer.
spans=("$calling" "$sending")
RANDOM=$seed
for ((round = 0; passed + failed < rounds && early < 3 * rounds; round++)); do
  make_home $((round / 2 % 2))
  if ((round % 2)); then
    command=("${send[@]}")
    serve_models
  else
    command=("${call[@]}")
  fi
  delay=$(((RANDOM * 32768 + RANDOM) % spans[round % 2]))
  "${command[@]}" <"$scratch/calls.ndjson" >"$scratch/out" 2>"$scratch/said" &
  runner=$!
  sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
  kill -KILL "$runner" 2>/dev/null
  wait "$runner" 2>/dev/null
  killed=$?

  problems=
  for ((tries = 0; tries < 3000; tries++)); do
    [ -z "$(servers_left)" ] && break
    sleep 0.1
  done
  [ -z "$(servers_left)" ] || problems+="; a server survives"
  if ((round % 2)); then
    if [ -n "$(chat-log list)" ]; then
      "${continue[@]}" </dev/null >"$scratch/further" 2>"$scratch/said"
      status=$?
      # Without results that wait for an answer, only a prompt goes on; nothing need if all is there.
      if [ $status = 64 ] && [ "$(jq -r .type "$scratch/further")" = error ]; then
        status=0
        if ! chat-log export | jq -e 'select(.text == "Done.")' >/dev/null; then
          "${continue[@]}" 'Go on.' </dev/null >"$scratch/further" 2>"$scratch/said"
          status=$?
        fi
      fi
      if [ $status != 0 ]; then
        problems+="; --continue ended with $status: $(tail -n 1 "$scratch/said")"
      fi
      unknown=$((unknown + $(grep -c '"unknownOutcome"' "$scratch/further")))
    fi
    problems+=$(chat_problems)
    [ -z "$(servers_left)" ] || problems+="; a server of --continue survives"
  elif [ "$(jq -r 'select(.type == "called").arguments.n' "$scratch/log" 2>/dev/null | sort | uniq -d)" ]; then
    problems+="; a call was repeated"
  fi

  if [ -n "$problems" ]; then
    failed=$((failed + 1))
    echo "round $round (seed $seed), ${command[0]} killed after $delay µs: ${problems#; }"
  elif [ "$killed" = 137 ]; then
    passed=$((passed + 1))
  else
    early=$((early + 1))
    spans[round % 2]=$(((spans[round % 2] + delay) / 2 + 1))
  fi
done

echo "unbroken, tool-call takes $((calling / 1000)) ms, chat-send $((sending / 1000)) ms;" \
  "$early runs more ended before they could be killed; $unknown calls are told as unknown"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$rounds" ]
