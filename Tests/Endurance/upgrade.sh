#!/bin/bash
# Upgrades the package of an earlier release while its tools work, goes back, and upgrades again.
#
#   Tests/Endurance/upgrade.sh OLD.deb NEW.deb
#   Tests/Endurance/upgrade.sh --short
#
# dpkg(1) installs both into a folder of their own with a database of its own, so that nothing of this
# machine changes. Before the upgrade the old tools have a hub, a paused pipeline, a stage and an agent
# under way, chats, a paired device and a registered one. All of them must continue. The older tools must
# then work with the store, or refuse a newer one and leave its bytes alone.
#
# --short tries nothing: package.sh --short calls this script with the package of the debug build.
set -u

case $#:$* in
  1:--short)
    echo 'upgrade.sh: nothing was tried: package.sh --short tries an upgrade'
    exit 0
    ;;
  2:[!-]*) ;;
  *)
    echo 'usage: upgrade.sh OLD.deb NEW.deb | --short' >&2
    exit 64
    ;;
esac
for file in "$@"; do
  if [[ ! -r $file ]]; then
    echo "upgrade.sh: cannot read '$file'" >&2
    exit 66
  fi
done
old=$(realpath -e "$1")
new=$(realpath -e "$2")
for program in curl dpkg jq sqlite3; do
  if ! command -v "$program" >/dev/null; then
    echo "upgrade.sh: there is no $program" >&2
    exit 69
  fi
done

documents=$(cd "$(dirname "$0")/../../docs/examples" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/agentpipes-upgrade.XXXXXX")
started=()
finish() {
  local process
  for process in "${started[@]}"; do kill "$process" 2>/dev/null; done
  wait 2>/dev/null
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT

system=$scratch/system
bin=$system/usr/bin
export PATH="$bin:$PATH" HOME="$scratch/user" AGENTPIPES_HOME="$scratch/host" TZ=UTC LANG=C.UTF-8
export AGENTPIPES_MODEL=extractive
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS \
  AGENTPIPES_HUB CREDENTIALS_DIRECTORY NOTIFY_SOCKET
mkdir -p "$HOME" "$scratch/study" "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates"
touch "$system/var/lib/dpkg/status" "$system/var/lib/dpkg/available"
cd "$scratch" || exit
data=$AGENTPIPES_HOME/data

failed=0
passed=0
pass() { passed=$((passed + 1)); }
fail() {
  echo "upgrade.sh: $stage: $*"
  failed=$((failed + 1))
}
# holds FAULT COMMAND...: the command must succeed.
holds() { if "${@:2}"; then pass; else fail "$1"; fi; }
# is WHAT SEEN WANTED
is() { if [[ $2 == "$3" ]]; then pass; else fail "$1: '$2', not '$3'"; fi; }

# give_up WHAT: ends the script, because nothing after this point can be judged.
give_up() {
  fail "$@"
  tail -n 5 "$scratch"/{said,hub.err} 2>/dev/null
  echo "$passed passed, $failed failed"
  exit 1
}

# await WHAT COMMAND...: waits until the command succeeds, for five minutes.
await() {
  local tries
  for ((tries = 0; tries < 6000; tries++)); do
    if "${@:2}"; then return; fi
    sleep 0.05
  done
  give_up "never: $1"
}

# dpkg_here OPTION...: the libraries of the packages are those of this machine.
dpkg_here() {
  dpkg --root="$system" --log=/dev/null --force-not-root --force-script-chrootless --force-depends "$@" \
    >"$scratch/dpkg" 2>&1 && return
  cat "$scratch/dpkg"
  give_up "dpkg failed: $*"
}

port=0
# serve: starts a hub, always at the same port, and sets $hub, its process, and $url.
serve() {
  : >"$scratch/hub.err"
  hub-serve --listen "127.0.0.1:$port" --auth strict >/dev/null 2>"$scratch/hub.err" &
  hub=$!
  started+=("$hub")
  await 'the hub listens' grep -q 'listening on' "$scratch/hub.err"
  url=$(sed -n 's/.*listening on \(http[^ ]*\).*/\1/p' "$scratch/hub.err")
  port=${url##*:}
}

stop() {
  kill "$hub"
  wait "$hub"
}

# phone, far COMMAND...: runs a tool as the paired device, or as the registered one.
phone() { AGENTPIPES_HOME=$scratch/phone "$@"; }
far() { AGENTPIPES_HOME=$scratch/far "$@"; }

gates() { gate-decide list --all | jq -r '.gateId + " " + .status' | sort; }
events() { stream-tail | jq -r .id | sort; }
chats() { chat-log export | sort; }
devices() { hub-serve devices | jq -r '.id + " " + .name + " " + (.revoked | tostring)' | sort; }
turns() { chat-log show "$1" | jq -s 'map(select(.type == "message")) | length'; }
status() { stage-run --show "$1" | jq -r 'select(.type == "pipeline").status'; }
hub_summary() { agentpipes | jq -r 'select(.name == "hub").summary'; }
schema() { sqlite3 "$data/store.db" 'SELECT identifier FROM grdb_migrations ORDER BY rowid DESC LIMIT 1'; }
sums() { (cd "$data" && sha256sum -- *.db *.db-wal 2>/dev/null); }

# lost BEFORE NOW: prints the lines of the first text that the second one lacks.
lost() { comm -23 <(printf '%s\n' "$1") <(printf '%s\n' "$2"); }

# plan GOAL: a pipeline with sources.
plan() { ceo-plan "$1" </dev/null && web-fetch "$documents"/*.html </dev/null; }
# say OPTION...: sends a prompt, and prints the id of its chat.
say() {
  echo 'A write-ahead log holds the changes of a database, and a rollback journal its old pages.' >"$scratch/logs.txt"
  chat-send --attach "$scratch/logs.txt" "$@" </dev/null | jq -r .chatId
}

# What clients of the hub see, whichever hub it is.
judge_clients() {
  local before after
  is 'the health of the hub' "$(curl -s -o /dev/null -w '%{http_code}' "$url/health")" 200
  is 'the paired device' "$(phone pair status host | jq .connected)" true
  before=$(turns "$second")
  is 'a prompt of the paired device' \
    "$(phone chat-send --host host --chat "$second" 'and more?' </dev/null | jq .complete)" true
  after=$(turns "$second")
  is 'the turns of its chat' "$after" $((before + 2))
  is 'the agents that the registered device sees' \
    "$(far agent-stat agents --hub "$url" | jq -r .id | sort)" "$(agent-stat agents | jq -r .id | sort)"
  far agent-run --hub "$url" --agent far -- echo "at $stage" >/dev/null 2>&1
  is 'an event of the registered device' \
    "$(stream-tail --agent far | jq -r 'select(.message == "at '"$stage"'").message')" "at $stage"
}

stage='the old tools'
dpkg_here -i "$old"
serve
first=$(say 'What is a write-ahead log?')
second=$(say --project ./study 'What is a rollback journal?')

plan 'Compare the WAL and the rollback journal' | stage-run >"$scratch/paused" 2>"$scratch/said"
is 'the status of a run that waits for approval' "${PIPESTATUS[1]}" 75
pipeline=$(jq -r 'select(.type == "pipeline").id' "$scratch/paused" | tail -n 1)
gate=$(jq -r 'select(.type == "approvalGate").gateId' "$scratch/paused")
is 'the paused pipeline' "$(status "$pipeline")" paused

# The package is replaced while a stage waits for a decision and a command is paused.
plan 'Compare two locks' | jq -c 'select(.type != "stage" or .position == 0)' >"$scratch/plan"
stage-run --wait=45m <"$scratch/plan" >"$scratch/waiting" 2>>"$scratch/said" &
runner=$!
started+=("$runner")
await 'the stage waits' grep -sq '"type":"approvalGate"' "$scratch/waiting"
waiting_gate=$(jq -r 'select(.type == "approvalGate").gateId' "$scratch/waiting" | head -n 1)
mkfifo "$scratch/orders"
agent-run --agent worker -- bash -c 'echo begun; exec head -n 1' <"$scratch/orders" >"$scratch/worker" \
  2>>"$scratch/said" &
worker=$!
started+=("$worker")
exec 3>"$scratch/orders"
await 'the agent works' grep -sq begun "$scratch/worker"
receipt=$(agent-control pause agent worker --reason 'an upgrade' --wait 4m)
is 'the pause of the agent' "$(jq -r .outcome <<<"$receipt")" applied

pair start --hub "$url" >"$scratch/pairing" 2>>"$scratch/said" &
pairing=$!
started+=("$pairing")
await 'there is a code' test -s "$scratch/pairing"
phone pair complete "$url" --code "$(jq -r .code "$scratch/pairing")" --name host --device-name phone \
  >/dev/null 2>>"$scratch/said"
wait "$pairing"
is 'pair start' $? 0
far pair register "$url" --code "$(hub-serve register-code | jq -r .code)" --name far >/dev/null 2>>"$scratch/said"
judge_clients

old_gates=$(gates)
old_events=$(events)
old_chats=$(chats)
old_devices=$(devices)
old_schema=$(schema)
is 'the devices' "$(wc -l <<<"$old_devices")" 2
for name in store events; do sqlite3 "$data/$name.db" ".backup $scratch/$name.db"; done

stage='after the upgrade'
file=$(realpath -e "$bin/hub-serve")
dpkg_here -i "$new"
is 'the file of the running hub' "$(readlink "/proc/$hub/exe")" "$file (deleted)"
is 'the hub in agentpipes' "$(hub_summary)" "the hub at '$url' is of an earlier installation"
is 'the gates' "$(gates)" "$old_gates"
is 'the chats' "$(chats)" "$old_chats"
is 'the devices' "$(devices)" "$old_devices"
is 'lost events' "$(lost "$old_events" "$(events)")" ''
judge_clients

before=$(turns "$first")
is 'the continued chat' "$(say --chat "$first" 'And what is its limit?')" "$first"
is 'the turns of the continued chat' "$(turns "$first")" $((before + 2))

gate-decide approve "$waiting_gate" >/dev/null
wait "$runner"
is 'the stage under way' "$? $(jq -r 'select(.type == "pipeline").status' "$scratch/waiting" | tail -n 1)" '0 completed'
is 'the agent' "$(agent-stat agents | jq -r 'select(.id == "worker").status')" paused
is 'the end of its pause' "$(agent-control resume agent worker --reason upgraded --wait 4m | jq -r .outcome)" applied
echo 'the orders' >&3
exec 3>&-
wait "$worker"
is 'the output of the agent' "$? $(tail -n 1 "$scratch/worker")" '0 the orders'

gate-decide approve "$gate" >/dev/null
stage-run --yolo --resume "$pipeline" >/dev/null 2>>"$scratch/said"
is 'the resumed pipeline' "$? $(status "$pipeline")" '0 completed'
results=$(stage-run --show "$pipeline" | jq -r 'select(.type == "artifact").role' | sort | xargs)
is 'its results' "$results" 'producer qaReviewer researcher'

stage='after the restart of the hub'
stop
serve
is 'the file of the hub' "$(readlink "/proc/$hub/exe")" "$(realpath -e "$bin/hub-serve")"
is 'the hub in agentpipes' "$(hub_summary)" "a hub serves at '$url'"
is 'the devices' "$(devices)" "$old_devices"
is 'lost events' "$(lost "$old_events" "$(events)")" ''
judge_clients

new_gates=$(gates)
new_events=$(events)
new_chats=$(chats)
new_schema=$(schema)
stop

# refused: the tools refuse the store with one sentence, and leave the files alone.
refused() {
  local before sentence line
  sentence="'$data/store.db' was written by a newer version; upgrade agentpipes, or use another folder with AGENTPIPES_HOME"
  # A reader merges the write-ahead log of a hub that has ended.
  for line in store events; do sqlite3 "$data/$line.db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null; done
  before=$(sums)
  for line in 'stage-run --list' "stage-run --resume $pipeline" 'gate-decide list' 'agent-stat' 'chat-log list' \
    "chat-send --chat $first more" 'ceo-plan goal' 'pair devices' 'hub-serve devices' \
    "hub-serve --listen 127.0.0.1:$port"; do
    # shellcheck disable=SC2086  # The words of the line.
    timeout 300 $line </dev/null >"$scratch/out" 2>"$scratch/err"
    is "$line" "$? $(tail -n 1 "$scratch/err")" "74 ${line%% *}: $sentence"
  done
  is 'the files' "$(sums)" "$before"
}

# works: the tools continue with the store.
works() {
  local before
  is 'the gates' "$(gates)" "$new_gates"
  is 'the chats' "$(chats)" "$new_chats"
  is 'lost events' "$(lost "$new_events" "$(events)")" ''
  is 'the pipeline' "$(status "$pipeline")" completed
  serve
  judge_clients
  stop
  before=$(turns "$first")
  is 'the continued chat' "$(say --chat "$first" "A word at $stage")" "$first"
  is 'the turns of the continued chat' "$(turns "$first")" $((before + 2))
  new_chats=$(chats)
  new_events=$(events)
}

stage='after the downgrade'
dpkg_here -i "$old"
if [[ $new_schema == "$old_schema" ]]; then
  echo "upgrade.sh: both releases have the schema '$new_schema': the older tools work; a newer schema is simulated"
  works
  sqlite3 "$data/store.db" "INSERT INTO grdb_migrations VALUES ('99 of tomorrow')"
else
  echo "upgrade.sh: the schema was '$old_schema' and is '$new_schema'"
fi
refused

# The copies of before the upgrade, in a home of their own.
stage='with the copies of before the upgrade'
cp -r "$AGENTPIPES_HOME" "$scratch/copy"
rm -f "$scratch"/copy/data/*.db-*
for name in store events; do mv "$scratch/$name.db" "$scratch/copy/data/$name.db"; done
export AGENTPIPES_HOME=$scratch/copy
is 'the gates' "$(gates)" "$old_gates"
is 'the chats' "$(chats)" "$old_chats"
is 'the devices' "$(devices)" "$old_devices"
gate-decide approve "$gate" >/dev/null
stage-run --yolo --resume "$pipeline" >/dev/null 2>>"$scratch/said"
is 'the resumed pipeline' "$? $(status "$pipeline")" '0 completed'
export AGENTPIPES_HOME=$scratch/host

stage='upgraded again'
dpkg_here -i "$new"
if [[ $new_schema == "$old_schema" ]]; then
  sqlite3 "$data/store.db" "DELETE FROM grdb_migrations WHERE identifier = '99 of tomorrow'"
fi
works

stage='after the purge'
before=$(sums)
dpkg_here --purge agentpipes
is 'the files of the package' "$(cd "$system" && find . ! -type d ! -path './var/*')" ''
is 'the files of the user' "$(sums)" "$before"

echo "$passed passed, $failed failed"
((failed == 0))
