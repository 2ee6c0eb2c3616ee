#!/bin/bash
# Runs hub-serve on one host and asks it from another one, plain and over TLS: with curl, with PyPI's
# websockets and with our own tools. The hosts are two network namespaces that a cable joins; they go with the
# processes that hold them.
#
#   Tests/Endurance/two-hosts.sh [--short]
#
# Both forms are the same. It needs root, ip(8), and leave to make namespaces: without these, nothing is tried.
# $AGENTPIPES_PYTHON has websockets, else .build/venv. The tools are those of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
python=${AGENTPIPES_PYTHON:-$root/.build/venv/bin/python}

case $* in
  '' | --short) ;;
  *)
    echo 'usage: two-hosts.sh [--short]' >&2
    exit 64
    ;;
esac
if [ ! -x "$bin/hub-serve" ]; then
  echo "two-hosts.sh: no tools in '$bin': build them, or set AGENTPIPES_BIN" >&2
  exit 66
fi
if ! command -v ip >/dev/null || ! unshare --net true 2>/dev/null; then
  echo 'two-hosts.sh: nothing was tried: there is no ip(8), or no leave to make network namespaces'
  exit 0
fi

scratch=$(mktemp -d)
started=()
finish() {
  local process
  for process in "${started[@]}"; do kill "$process" 2>/dev/null; done
  wait 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT

trusted=
passed=0
failed=0
# check NAME WANTED GOT
check() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s: wanted\n%s\ngot\n%s\n' "$1" "$2" "$3"
  fi
}

# await WHAT COMMAND…: until the command succeeds, for five minutes.
await() {
  local what=$1
  shift
  for ((tries = 0; tries < 6000; tries++)); do
    if "$@"; then return; fi
    sleep 0.05
  done
  echo "two-hosts.sh: never: $what" >&2
  exit 1
}

is_host() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

unshare --net sleep 3600 &
hub_host=$!
unshare --net sleep 3600 &
far_host=$!
started+=("$hub_host" "$far_host")
await 'there is a host' is_host "$hub_host"
await 'there is another host' is_host "$far_host"

mkdir -p "$scratch/hub/user" "$scratch/far/user"

# on HOST COMMAND…: runs it there, with a home and a path of its own.
on() { (become "$@"); }

# become HOST COMMAND…: the same, in the place of this shell: what is in the background has its process.
become() {
  local host=$1 home=$scratch/far
  shift
  if [ "$host" = "$hub_host" ]; then home=$scratch/hub; fi
  exec nsenter --net="/proc/$host/ns/net" env -i PATH="$bin:/usr/sbin:/usr/bin:/sbin:/bin" \
    HOME="$home/user" AGENTPIPES_HOME="$home" TZ=UTC LANG=C.UTF-8 \
    ${trusted:+CURL_CA_BUNDLE="$trusted" SSL_CERT_FILE="$trusted"} \
    ${LD_LIBRARY_PATH:+LD_LIBRARY_PATH="$LD_LIBRARY_PATH"} "$@"
}

if ! ip link add near netns "$hub_host" type veth peer name far netns "$far_host" 2>/dev/null; then
  echo 'two-hosts.sh: nothing was tried: there is no leave to join namespaces'
  exit 0
fi
on "$hub_host" ip address add 10.99.0.1/24 dev near
on "$far_host" ip address add 10.99.0.2/24 dev far
for host in "$hub_host" "$far_host"; do
  on "$host" ip link set lo up
done
on "$hub_host" ip link set near up
on "$far_host" ip link set far up

# ed25519's public key of RFC 8032, 7.1, test 1.
key=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=

# serve [OPTION…]: starts the hub and sets $hub, its process, and $url.
serve() {
  : >"$scratch/hub.err"
  become "$hub_host" hub-serve --listen 10.99.0.1:0 "$@" 2>"$scratch/hub.err" &
  hub=$!
  started+=("$hub")
  await 'the hub listens' grep -q 'listening on' "$scratch/hub.err"
  url=$(sed -n 's/.*listening on \(http[^ ]*\).*/\1/p' "$scratch/hub.err")
}

code() { on "$hub_host" hub-serve register-code | jq -r .code; }

# try_all NAME: asks the hub at $url from the other host by each way there is.
try_all() {
  local name=$1 token last first socket lines
  rm -f "$scratch"/{socket,feed,tail}*
  token=$(on "$far_host" curl -sd \
    "{\"code\":\"$(code)\",\"deviceName\":\"far\",\"devicePublicKey\":\"$key\"}" \
    "$url/v1/auth/device/register" | jq -r .accessToken)
  on "$far_host" pair register "$url" --code "$(code)" --name far >"$scratch/pair" 2>&1 ||
    cat "$scratch/pair"
  check "$name: registered" far "$(jq -r .name "$scratch/pair")"

  answer() { on "$far_host" curl -so /dev/null -w '%{http_code}' "$@"; }
  check "$name: a device" 200 "$(answer -H "Authorization: Bearer $token" "$url/v1/overview")"
  check "$name: no token" 401 "$(answer "$url/v1/overview")"
  check "$name: no token for numbers" 401 "$(answer "$url/metrics")"
  check "$name: the operator's token from elsewhere" 403 \
    "$(answer -H "Authorization: Bearer $(cat "$scratch/hub/data/hub.token")" "$url/v1/overview")"
  check "$name: another name" 421 "$(answer -H 'Host: evil.example' "$url/health")"
  check "$name: its health" 200 "$(answer "$url/health")"

  send() {
    seq "$1" "$2" | jq -c '{type:"log",ts:.,agentId:"far",level:"info",message:"line \(.)"}' |
      on "$far_host" curl -s -H "Authorization: Bearer $token" --data-binary @- "$url/v1/events" |
      jq -r .lastId
  }
  first=$(send 0 0)
  become "$far_host" curl -sNH "Authorization: Bearer $token" \
    "$url/v1/stream?maxEventsPerSecond=100000&lastEventId=$first" >"$scratch/feed" &
  started+=("$!")
  socket=
  if [ -x "$python" ]; then
    become "$far_host" "$python" "$root/Tests/Support/Servers/stream_reader.py" \
      "ws${url#http}/v1/stream?protocol=1" "$token" \
      "{\"type\":\"subscribe\",\"maxEventsPerSecond\":100000,\"lastEventId\":\"$first\"}" 101 \
      >"$scratch/socket" 2>"$scratch/socket.err" &
    socket=$!
    started+=("$socket")
  fi
  become "$far_host" stream-tail --follow --hub "$url" --after "$first" >"$scratch/tail" \
    2>"$scratch/tail.err" &
  started+=("$!")
  last=$(send 1 100)
  # An agent of the hub's own host is among what the other one sees.
  on "$hub_host" agent-run --agent near -- echo works >/dev/null 2>&1
  lines=100
  await 'stream-tail has it all' grep -q '"agentId":"near"' "$scratch/tail"
  await 'curl has it all' grep -q '"agentId":"near"' "$scratch/feed"
  sed -n 's/^data: //p' "$scratch/feed" | head -n $lines >"$scratch/feed.lines"
  check "$name: the events" "$last" "$(sed -n "${lines}p" "$scratch/feed.lines" | jq -r .id)"
  check "$name: stream-tail's events" "$(cat "$scratch/feed.lines")" \
    "$(head -n $lines "$scratch/tail")"
  if [ -n "$socket" ]; then
    wait "$socket"
    check "$name: the socket's events" "$(cat "$scratch/feed.lines")" \
      "$(head -n $lines "$scratch/socket")"
  fi
  check "$name: what the hub has" "$(sed -n "${lines}p" "$scratch/feed.lines")" \
    "$(on "$far_host" stream-tail --hub "$url" --agent far -n 1)"
}

serve
try_all plain
kill "$hub"
wait "$hub"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=hub \
  -addext 'subjectAltName=IP:10.99.0.1' -keyout "$scratch/key.pem" -out "$scratch/hub.pem" 2>/dev/null
serve --tls-certificate "$scratch/hub.pem" --tls-key "$scratch/key.pem"
check 'TLS: a hub that nobody vouches for' 60 \
  "$(on "$far_host" curl -s "$url/health" >/dev/null 2>&1; echo $?)"
trusted=$scratch/hub.pem
try_all TLS
kill "$hub"
wait "$hub"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
