#!/bin/bash
# Has the echo server and the echo client of our WebSocket judged by Autobahn's test suite.
#
#   Tests/Endurance/websocket-judge.sh [--short]
#
# All of its cases but compression, and those of limits (category 9), or, with --short, not these. The
# judge is a program outside of this repository, $AGENTPIPES_WEBSOCKET_JUDGE, which is called
#
#   JUDGE server URL [--cases CASE …]         judges the echo server at that URL
#   JUDGE client --port PORT [--cases CASE …] serves the cases to an echo client
#
# and fails when a case does. Without it nothing is judged. The program under test is that of
# $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
echo_program=${AGENTPIPES_BIN:-$root/.build/debug}/websocket-echo
suites=('1.* 2.* 3.* 4.* 5.* 6.* 7.* 10.*' '9.*')

while [ $# -gt 0 ]; do
  case $1 in
    --short) suites=("${suites[0]}") ;;
    *)
      echo "usage: websocket-judge.sh [--short]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ -z "${AGENTPIPES_WEBSOCKET_JUDGE:-}" ]; then
  echo "websocket-judge.sh: nothing was judged: AGENTPIPES_WEBSOCKET_JUDGE names no judge"
  exit 0
fi
if [ ! -x "$echo_program" ]; then
  echo "websocket-judge.sh: no program '$echo_program': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
status=0

# By the system's Python if it is a script of that.
judge=("$AGENTPIPES_WEBSOCKET_JUDGE")
case $AGENTPIPES_WEBSOCKET_JUDGE in
  *.py) judge=(/usr/bin/python3 "$AGENTPIPES_WEBSOCKET_JUDGE") ;;
esac

# await_port PORT: until somebody listens there, for five minutes.
await_port() {
  for ((tries = 0; tries < 6000; tries++)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
    sleep 0.05
  done
  return 1
}

: >"$scratch/port"
"$echo_program" serve >>"$scratch/port" &
server=$!
port=
for ((tries = 0; tries < 6000; tries++)); do
  port=$(head -n 1 "$scratch/port")
  if [ -n "$port" ]; then break; fi
  sleep 0.05
done
if [ -z "$port" ]; then
  echo "websocket-judge.sh: the echo server does not start" >&2
  exit 1
fi

for suite in "${suites[@]}"; do
  # A suite is a list of words.
  set -f
  # shellcheck disable=SC2086
  "${judge[@]}" server "ws://127.0.0.1:$port/" --cases $suite | sed 's/^judged:/server:/'
  [ "${PIPESTATUS[0]}" = 0 ] || status=1

  suite_port=$((20000 + RANDOM % 12000))
  # shellcheck disable=SC2086
  "${judge[@]}" client --port "$suite_port" --cases $suite >"$scratch/client" &
  serving=$!
  set +f
  if await_port "$suite_port" &&
    "$echo_program" client "ws://127.0.0.1:$suite_port" client; then
    wait "$serving" || status=1
  else
    echo "websocket-judge.sh: the echo client does not come to its end"
    kill "$serving" 2>/dev/null
    status=1
  fi
  cat "$scratch/client"
done

[ $status = 0 ] || echo "websocket-judge.sh: a case failed"
exit $status
