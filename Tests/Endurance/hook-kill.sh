#!/bin/bash
# Kills hooks of agents, a process that writes to the store, and a hub by SIGKILL at random points. Checks that no
# hook allows a call that nobody approved, and that every approved call is allowed when its hook is repeated.
#
#   Tests/Endurance/hook-kill.sh [--short] [--seed N]
#
# 200 kills, or 10 with --short. In turn, a round kills the hook, a decision that holds the store, and the hub that has
# the gates. The same seed chooses the same points. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
kills=200
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) kills=10 ;;
    --seed)
      seed=${2:?hook-kill.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: hook-kill.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/gate-decide" ]; then
  echo "hook-kill.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
hub=
cleanup() {
  if [ -n "$hub" ]; then
    kill "$hub" 2>/dev/null
    wait "$hub" 2>/dev/null
  fi
  rm -rf "$scratch"
}
trap cleanup EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" TZ=UTC LANG=C.UTF-8 AGENTPIPES_HOME="$scratch/home"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME AGENTPIPES_HUB
mkdir -p "$HOME" "$AGENTPIPES_HOME/config"
# One user makes all decisions within a minute.
printf '[limits]\ncontrols_per_minute = 100000\n[hook]\nallow = ["Bash(true)"]\n' >"$AGENTPIPES_HOME/config/config.toml"
RANDOM=$seed
passed=0
failed=0
kinds=(hook store hub)

# message ID: the message of a call that only its gate decides.
message() {
  printf '{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"%s",' "$1"
  printf '"tool_input":{"command":"rm -rf %s"}}\n' "$1"
}

# decided ID: the status of the gate of this call, at the place where it is; empty without a gate.
decided() { gate-decide list --all 2>/dev/null | jq -r --arg id "$1" 'select(.summary | endswith("rm -rf " + $id)) | .status'; }
waiting() { gate-decide list 2>/dev/null | jq -r --arg id "$1" 'select(.summary | endswith("rm -rf " + $id)) | .gateId'; }

start_hub() {
  hub-serve --listen "127.0.0.1:${port:-0}" 2>"$scratch/hub.err" &
  hub=$!
  until grep -qs 'listening on' "$scratch/hub.err"; do
    kill -0 "$hub" 2>/dev/null || { cat "$scratch/hub.err" >&2; exit 69; }
    sleep 0.05
  done
  url=$(grep -o 'http://[0-9.:]*' "$scratch/hub.err" | tail -n 1)
  port=${url##*:}
}

start_hub
for ((round = 1; round <= kills; round++)); do
  kind=${kinds[round % 3]}
  approves=$((round / 3 % 2))
  id=call_$round
  unset AGENTPIPES_HUB
  [ "$kind" = hub ] && export AGENTPIPES_HUB=$url
  message "$id" >"$scratch/message"
  gate-decide hook --timeout 4m <"$scratch/message" >"$scratch/out" 2>"$scratch/err" &
  hook=$!
  delay=0.$(printf %03d $((RANDOM % 120)))
  problem=
  if [ "$kind" = hook ]; then
    sleep "$delay"
    kill -KILL $hook 2>/dev/null
    wait $hook 2>/dev/null
  else
    until [ -n "$(waiting "$id")" ]; do
      kill -0 $hook 2>/dev/null || break
      sleep 0.02
    done
    # The victim may or may not have decided before its end.
    if [ "$kind" = store ]; then
      verb=(approve)
      [ "$approves" = 1 ] || verb=(reject --reason 'nobody wants this')
      gate-decide "${verb[@]}" "$(waiting "$id")" >/dev/null 2>&1 &
      victim=$!
      sleep "$delay"
      kill -KILL $victim 2>/dev/null
      wait $victim 2>/dev/null
    else
      sleep "$delay"
      kill -KILL "$hub" 2>/dev/null
      wait "$hub" 2>/dev/null
      start_hub
    fi
  fi
  # The hook is alive but in the rounds that killed it; there, the agent repeats it.
  if [ "$kind" = hook ]; then
    if grep -q '"allow"' "$scratch/out" && [ "$(decided "$id")" != approved ]; then problem='the killed hook allowed'; fi
    gate-decide hook --timeout 4m <"$scratch/message" >"$scratch/out" 2>"$scratch/err" &
    hook=$!
  fi
  until [ -n "$(decided "$id")" ]; do
    kill -0 $hook 2>/dev/null || break
    sleep 0.02
  done
  gate=$(waiting "$id")
  if [ -n "$gate" ]; then
    if grep -q '"allow"' "$scratch/out"; then problem='a waiting gate allowed'; fi
    if [ "$approves" = 1 ]; then
      gate-decide approve "$gate" >/dev/null 2>&1
    else
      gate-decide reject "$gate" --reason 'nobody wants this' >/dev/null 2>&1
    fi
  fi
  wait $hook
  status=$?
  end=$(decided "$id" | tail -n 1)
  [ $status = 0 ] || problem="the hook ended with $status"
  if [ "$end" = approved ]; then
    grep -q '"permissionDecision":"allow"' "$scratch/out" || problem="approved, and the hook printed $(cat "$scratch/out")"
  else
    grep -q '"permissionDecision":"deny"' "$scratch/out" || problem="$end, and the hook printed $(cat "$scratch/out")"
  fi
  if [ "$approves" = 0 ] && grep -q '"allow"' "$scratch/out"; then problem='nobody approved, and the hook allowed'; fi
  if [ -n "$problem" ]; then
    failed=$((failed + 1))
    echo "round $round (seed $seed), the $kind killed after $delay s: $problem; $(tail -n 1 "$scratch/err")"
  else
    passed=$((passed + 1))
  fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$kills" ]
