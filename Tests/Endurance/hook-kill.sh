#!/bin/bash
# Kills hooks of agents, a process that writes to the store, and a hub by SIGKILL at random points. Checks that no
# hook allows a call that nobody approved, and that every approved call is allowed when its hook is repeated.
# Before that, hooks judge random commands by rules, and bash judges the hooks: no command is allowed whose words, as
# bash expands them, name a denied file or an option that writes or runs something.
#
#   Tests/Endurance/hook-kill.sh [--short] [--seed N]
#
# 300 commands and 200 kills, or 20 and 10 with --short. In turn, a round kills the hook, a decision that holds the store, and the hub that has
# the gates. The same seed chooses the same points. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
kills=200
commands=300
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) kills=10 commands=20 ;;
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
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME AGENTPIPES_HUB CLAUDE_CODE_ENTRYPOINT CLAUDE_CONFIG_DIR
mkdir -p "$HOME" "$AGENTPIPES_HOME/config"
kinds=(hook store hub)

# message ID: the message of a call that only its gate decides.
message() {
  printf '{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"%s",' "$1"
  printf '"tool_input":{"command":"rm -rf %s"}}\n' "$1"
}

# decided ID: the status of the gate of this call, at the place where it is; empty without a gate.
decided() { gate-decide list --all 2>/dev/null | jq -r --arg id "$1" 'select((.summary // "") | endswith("rm -rf " + $id)) | .status'; }
waiting() { gate-decide list 2>/dev/null | jq -r --arg id "$1" 'select((.summary // "") | endswith("rm -rf " + $id)) | .gateId'; }

# harmful LINE: succeeds if the words of the line, as bash expands them in a folder with .env, name this file or an option
# that writes or runs something, or if they are more than words.
harmful() {
  (
    set +u
    words=()
    cd "$scratch/w" && eval "words=($1)" 2>/dev/null || exit 0
    for word in "${words[@]:1}"; do
      for name in "$word" "${word#*=}" "${word#*:}" "${word#*@}" "${word#-?}" "${word#-??}"; do
        if [ "$name" -ef .env ]; then exit 0; fi
      done
      case $word in --o*=* | --output* | -[!-]*[oc]* | -[oc]*) exit 0 ;; esac
      # git takes each beginning of an option's name that is no other's.
      if [[ $word == --ex* && --ext-diff == "${word%%=*}"* ]]; then exit 0; fi
    done
    exit 1
  )
}

# attack: a random command, of pieces that are harmless alone.
# shellcheck disable=SC2016
pieces=(-p -- .env ./.env "'.env'" ".e''nv" '".env"' '.e*' '.en?' '.e[n]v' '*' '.e\nv' '{.env,a}' '$x' '"$PWD"/.env' a.txt src/b
  HEAD:.env :.env -f.env -hf.env --file=.env if=.env @.env x@.env src/../.env '~+/.env' '?/../.env' --output=a --outp=a "--out'put'=a"
  '"--output"=a' -oa -poa -o --ext-diff --ext -c k=v '>a' '<.env' '$(:)' ';:' '|:' '&' '#' "'a b'" --oneline -n 5 -3 HEAD~1 a..b --stat)
attack() {
  line='git log'
  for ((n = RANDOM % 3 + 1; n > 0; n--)); do
    piece=${pieces[RANDOM % ${#pieces[@]}]}
    case $((RANDOM % 8)) in
      0) line+=$piece ;;
      1) line+=$'\t '$piece ;;
      2) line+="  \"\"$piece" ;;
      *) line+=" $piece" ;;
    esac
  done
}

judge_rules() {
  mkdir -p "$scratch/w/src" && touch "$scratch/w/.env" "$scratch/w/a.txt" "$scratch/w/src/b"
  printf '[hook]\nallow = ["Bash(git log*)"]\ndeny = ["Read(%s/w/.env)"]\n' "$scratch" >"$AGENTPIPES_HOME/config/config.toml"
  allowed=0
  refused=0
  for ((round = 1; round <= commands; round++)); do
    attack
    answer=$(jq -cn --arg folder "$scratch/w" --arg line "$line" '{session_id: "s", cwd: $folder, hook_event_name: "PreToolUse",
      tool_name: "Bash", tool_input: {command: $line}}' | gate-decide hook --timeout 0.1s 2>/dev/null)
    if harmful "$line"; then
      refused=$((refused + 1))
      case $answer in
        *'"deny"'*) ;;
        *)
          failed=$((failed + 1))
          printf 'seed %s: allowed: %s\n' "$seed" "$line"
          ;;
      esac
    else
      case $answer in *'"allow"'*) allowed=$((allowed + 1)) ;; esac
    fi
  done
  echo "$refused harmful commands refused, $allowed others allowed"
  if [ "$allowed" = 0 ] || [ "$refused" = 0 ]; then
    failed=$((failed + 1))
    echo "seed $seed: the commands test nothing"
  fi
}

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

RANDOM=$seed
passed=0
failed=0
judge_rules
# One user makes all decisions within a minute.
printf '[limits]\ncontrols_per_minute = 100000\n[hook]\nallow = ["Bash(true)"]\n' >"$AGENTPIPES_HOME/config/config.toml"

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
