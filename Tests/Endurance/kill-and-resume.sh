#!/bin/bash
# Kills stage-run by SIGKILL at random points of a three-stage run, resumes it, and checks that the
# results are those of an unbroken run, that no stage whose result was stored was asked for again,
# that no file was written twice, and that the store is whole.
#
#   Tests/Endurance/kill-and-resume.sh [--short] [--seed N]
#
# 100 points, or 12 with --short; a run that ended before its point was reached is checked too, but
# not counted. The same seed chooses the same points. The tools are those of $AGENTPIPES_BIN, else
# of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
rounds=100
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) rounds=12 ;;
    --seed)
      seed=${2:?kill-and-resume.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-and-resume.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/stage-run" ]; then
  echo "kill-and-resume.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
server=
cleanup() {
  [ -n "$server" ] && kill "$server" 2>/dev/null
  rm -rf "$scratch"
}
trap cleanup EXIT

export PATH="$bin:$PATH" HOME="$scratch/user" TZ=UTC LANG=C.UTF-8
export ANTHROPIC_API_KEY=sk-ant-no-real-key-0000 AGENTPIPES_MODEL=claude-sonnet-4-6
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME"

# A few milliseconds between events give a run a length that points can be spread over.
echo '[{"times":0,"pace":4}]' >"$scratch/script.json"
HOME=~ python3 "$root/Tests/Support/Servers/model_server.py" --stay --script "$scratch/script.json" \
  --log "$scratch/log" >"$scratch/ready" &
server=$!
for ((tries = 0; tries < 30000; tries++)); do
  [ -s "$scratch/ready" ] && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.01
done
port=$(jq -r .port "$scratch/ready")
: "${port:?kill-and-resume.sh: the model server did not start}"
export ANTHROPIC_BASE_URL="http://127.0.0.1:$port"

pipeline=01900000-0000-7000-8000-000000000001
plan=$scratch/plan.ndjson
{
  echo '{"type":"pipeline","id":"'$pipeline'","goal":"Compare the two","project":"P"}'
  position=0
  for role in researcher producer qaReviewer; do
    echo '{"type":"stage","id":"01900000-0000-7000-8000-00000000000'$((position + 2))'",' \
      '"pipelineId":"'$pipeline'","position":'$position',"role":"'$role'","task":"Job '$role'"}'
    position=$((position + 1))
  done
} >"$plan"

now() { echo $(($(date +%s%N) / 1000000)); }

# How many requests the server has seen.
requests() { grep -c '"type":"request"' "$scratch/log"; }

# How many of the requests after the first $1 were for the stage of role $2.
requests_for() {
  grep '"type":"request"' "$scratch/log" | tail -n "+$(($1 + 1))" | grep -c "Your Job.nJob $2"
}

# Runs stage-run in the background with what it writes going to export-md: sets $runner, $exporter.
begin() {
  local fifo=$AGENTPIPES_HOME/pipe
  rm -f "$fifo"
  mkfifo "$fifo"
  export-md --into "$AGENTPIPES_HOME/files" <"$fifo" >>"$AGENTPIPES_HOME/exported" 2>&1 &
  exporter=$!
  stage-run "$@" <"$plan" >"$fifo" 2>>"$AGENTPIPES_HOME/said" &
  runner=$!
}

# Waits for both; gives stage-run's status.
finish() {
  local status
  wait "$runner" 2>/dev/null
  status=$?
  wait "$exporter"
  return $status
}

# What a run came to, without what differs from run to run.
results() {
  stage-run --show "$pipeline" |
    jq -S -c 'if .type == "artifact" then [.role, .content] else [.type, .status, .role] end'
}

# The bodies of the exported files.
files() {
  find "$AGENTPIPES_HOME/files" -name '*.md' | sort | while read -r file; do
    basename "$file" | sed 's/-[0-9]\{4\}-.*//'
    sed '1,/^---$/{/^---$/!d}; /^---$/,/^---$/d' "$file"
  done
}

# Looks at a copy of the store: the original's log is for the tool itself to recover.
inspect() {
  rm -rf "$AGENTPIPES_HOME/copy"
  cp -r "$AGENTPIPES_HOME/data" "$AGENTPIPES_HOME/copy" 2>/dev/null || return 0
  [ -s "$AGENTPIPES_HOME/copy/store.db" ] || return 0
  python3 - "$AGENTPIPES_HOME/copy/store.db" <<'PYTHON'
import json, sqlite3, sys

store = sqlite3.connect(sys.argv[1])
whole = store.execute("PRAGMA integrity_check").fetchone()[0]
print("whole" if whole == "ok" else "broken: " + whole)
if store.execute("SELECT 1 FROM sqlite_master WHERE name = 'artifact'").fetchone():
    for (record,) in store.execute("SELECT record FROM artifact"):
        print(json.loads(record)["role"])
PYTHON
}

# The unbroken run.
export AGENTPIPES_HOME=$scratch/unbroken
mkdir -p "$AGENTPIPES_HOME"
start=$(now)
begin --yolo --stream
if ! finish; then
  echo "kill-and-resume.sh: the unbroken run failed" >&2
  cat "$AGENTPIPES_HOME/said" >&2
  exit 1
fi
length=$(($(now) - start))
expected=$(results)
expected_files=$(files)
for role in researcher producer qaReviewer; do
  if [ "$(requests_for 0 "$role")" != 1 ] || ! grep -q "^\[\"$role\"" <<<"$expected" \
    || ! grep -qx "$role" <<<"$expected_files"; then
    echo "kill-and-resume.sh: the unbroken run shows no one result of the $role" >&2
    exit 1
  fi
done

passed=0
failed=0
early=0
# An unbroken run at a busy moment takes longer than the later ones: points that they do not reach come closer.
span=$length
RANDOM=$seed

for ((round = 1; passed + failed < rounds && early < 3 * rounds; round++)); do
  export AGENTPIPES_HOME=$scratch/round-$round
  mkdir -p "$AGENTPIPES_HOME"
  before=$(requests)
  first=$RANDOM second=$RANDOM
  begin --yolo --stream
  if ((round % 2)); then
    # By the clock, over the whole run.
    delay=$((first * span / 32768))
    point="after $delay ms"
  else
    # By the server's progress: within, or soon after, one of the three answers.
    asked=$((first % 3 + 1))
    delay=$((second % 90))
    point="$delay ms after request $asked"
    while (($(requests) < before + asked)) && kill -0 "$runner" 2>/dev/null; do sleep 0.002; done
  fi
  sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  kill -KILL "$runner" 2>/dev/null
  finish
  killed=$?

  problems=
  stored=$(inspect)
  case $stored in broken*) problems+="; the store is $stored after the kill" ;; esac
  at_kill=$(requests)

  begin --resume
  finish || problems+="; --resume ended with $?"
  if [ "$(stage-run --show "$pipeline" 2>/dev/null | jq -r 'select(.type == "pipeline").status')" \
    != completed ]; then
    # Killed before the run was stored: there was nothing to resume.
    [ -n "$(stage-run --list | jq -r .id)" ] && problems+="; a stored run was not resumed"
    begin --yolo
    finish || problems+="; feeding the plan again ended with $?"
  fi

  for role in researcher producer qaReviewer; do
    again=$(requests_for "$at_kill" "$role")
    if grep -qx "$role" <<<"$stored" && ((again > 0)); then
      problems+="; the $role was stored and sent again"
    fi
    ((again > 1)) && problems+="; the $role was sent $again times by one resume"
  done
  [ "$(results)" = "$expected" ] || problems+="; the results differ"
  [ "$(files)" = "$expected_files" ] || problems+="; the files differ"
  [[ $(inspect) = whole* ]] || problems+="; the store is not whole at the end"

  if [ -z "$problems" ]; then
    if [ "$killed" = 137 ]; then
      passed=$((passed + 1))
    else
      early=$((early + 1))
      if ((round % 2)); then span=$(((span + delay) / 2 + 1)); fi
    fi
    rm -rf "$AGENTPIPES_HOME"
  else
    failed=$((failed + 1))
    echo "round $round (seed $seed), killed $point: ${problems#; }"
    cat "$AGENTPIPES_HOME/said"
  fi
done

echo "an unbroken run takes $length ms; $early runs more ended before they could be killed"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$rounds" ]
