#!/bin/bash
# Kills push-notify by SIGKILL while it sends 1,000 alerts to three webhooks. Checks that every alert arrives at
# each, and that each kill repeats at most one message of a target. Then sends 10,000 alerts, and checks that a target
# gets no more messages in a minute than its limit, that their counts add up, and that no critical alert waits.
#
#   Tests/Endurance/kill-push.sh [--short] [--seed N]
#
# 100 kills, or 10 kills among 200 alerts and no flood with --short. The same seed chooses the same points. The tools
# are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
kills=100
alerts=1000
flood=10000
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) kills=10 alerts=200 flood=0 ;;
    --seed)
      seed=${2:?kill-push.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-push.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/push-notify" ]; then
  echo "kill-push.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
cleanup() {
  exec 9>&-
  rm -rf "$scratch"
}
trap cleanup EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" TZ=UTC LANG=C.UTF-8 AGENTPIPES_HOME="$scratch/home"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME" "$AGENTPIPES_HOME/config"
python=$(HOME=~ python3 -c 'import sys; print(sys.executable)')
RANDOM=$seed
passed=0
failed=0

check() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "kill-push.sh: $1: expected $3, found $2" >&2
  fi
}

# The server ends when its input does.
mkfifo "$scratch/input"
"$python" "$root/Tests/Support/Servers/push_peer.py" --log "$scratch/log" <"$scratch/input" >"$scratch/ready" &
exec 9>"$scratch/input"
until [ -s "$scratch/ready" ]; do sleep 0.01; done
url=http://127.0.0.1:$(jq -r .port "$scratch/ready")
for target in a b c; do
  printf '[push.%s]\nkind = "webhook"\nurl = "%s/%s"\nallow_private = true\n' "$target" "$url" "$target"
done >"$AGENTPIPES_HOME/config/config.toml"
head -c 32 /dev/urandom | base64 | key-store set push-webhook >/dev/null || exit

# make_alerts FIRST COUNT SEVERITY: alerts, each about an incident of its own.
make_alerts() {
  jq -cn --argjson first "$1" --argjson count "$2" --arg severity "$3" 'range($first; $first + $count) |
    {type: "alert", ts: ., kind: "incident", severity: $severity, incidentId: "i\(.)", srcId: "x\(.)",
     summary: "it broke \(.)"}'
}

make_alerts 1 "$alerts" critical >"$scratch/alerts"
killed=0
for ((round = 1; round <= kills; round++)); do
  push-notify --to a --to b --to c <"$scratch/alerts" >/dev/null 2>&1 &
  pid=$!
  # A start takes longer the more outcomes it repeats.
  sleep "0.$(printf %03d $((RANDOM % 400 + 50)))"
  kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
  wait $pid 2>/dev/null
done
push-notify --to a --to b --to c <"$scratch/alerts" >"$scratch/out" 2>"$scratch/errors"
check 'the exit status of the last run' $? 0
check 'deliveries of the last run' "$(jq -r 'select(.status == "sent") | .target + .alert' "$scratch/out" | sort -u | wc -l)" \
  $((alerts * 3))
for target in a b c; do
  ids=$(jq -r "select(.path == \"/$target\") | .fields[\"webhook-id\"]" "$scratch/log")
  check "alerts at $target" "$(sort -u <<<"$ids" | wc -l)" "$alerts"
  twice=$(($(wc -l <<<"$ids") - alerts))
  echo "$target: $alerts alerts, $twice messages twice after $killed kills"
  check "no more repeated messages at $target than kills" "$((twice <= killed))" 1
done

if [ "$flood" -gt 0 ]; then
  printf '[push.few]\nkind = "webhook"\nurl = "%s/few"\nallow_private = true\n' "$url" \
    >>"$AGENTPIPES_HOME/config/config.toml"
  critical=$((flood / 100))
  {
    make_alerts 100000 $((flood / 2)) warn
    make_alerts 200000 $critical critical
    make_alerts 300000 $((flood / 2 - critical)) error
  } >"$scratch/flood"
  : >"$scratch/log"
  push-notify --to few <"$scratch/flood" >"$scratch/out" 2>"$scratch/errors"
  check 'the exit status of the flood' $? 0
  check 'the sum of the counts' "$(jq -s 'map(.count // 1) | add' "$scratch/out")" "$flood"
  check 'critical messages' "$(jq -r 'select(.body.severity == "critical") | .body.incidentId' "$scratch/log" | sort -u | wc -l)" \
    "$critical"
  # The most messages in any 60 seconds, and the critical ones that came after others had to wait.
  jq -c 'select(.body.severity != "critical") | .at' "$scratch/log" >"$scratch/times"
  most=$("$python" -c '
import sys
times = [float(line) for line in sys.stdin]
print(max(sum(1 for later in times if 0 <= later - time < 59.9) for time in times))' <"$scratch/times")
  echo "the flood: $(wc -l <"$scratch/times") messages for $((flood - critical)) alerts, $most in a minute"
  check 'messages in a minute are at most six' "$((most <= 6))" 1
  last=$(jq -s 'map(select(.body.severity == "critical") | .at) | max' "$scratch/log")
  rest=$(jq -s 'map(select(.body.severity != "critical") | .at) | max' "$scratch/log")
  check 'critical alerts do not wait for the limit' "$(jq -n "$last + 30 < $rest")" true
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
