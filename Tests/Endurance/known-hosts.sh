#!/bin/bash
# Holds our verdicts on host keys against OpenSSH's, over files of known_hosts in every shape, and
# checks that ssh-keygen works on the file that we keep and that nothing damages it.
#
#   Tests/Endurance/known-hosts.sh [--short] [--files N] [--connections N] [--seed N]
#
# 10,000 files beside `ssh-keygen -F` and 60 beside connections to a real sshd on loopback, or, with
# --short, 300 and 8. The same seed makes the same files of the keys, which are new each time. The
# program is that of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
judge=${AGENTPIPES_BIN:-$root/.build/debug}/known-hosts-judge
files=10000 connections=60 seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) files=300 connections=8 ;;
    --files | --connections | --seed)
      declare "${1#--}=${2:?known-hosts.sh: $1 needs a number}"
      shift
      ;;
    *)
      echo "usage: known-hosts.sh [--short] [--files N] [--connections N] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$judge" ]; then
  echo "known-hosts.sh: no program '$judge': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi
sshd=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v sshd)
if [ -z "$sshd" ]; then
  echo "known-hosts.sh: no sshd: install openssh-server" >&2
  exit 66
fi

scratch=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
status=0
fail() {
  echo "known-hosts.sh: $*"
  status=1
}

# The keys of the host, others, and certificates over some of both.
keys=$scratch/keys
mkdir "$keys"
for type in ed25519 ecdsa rsa; do
  for owner in own other; do
    ssh-keygen -q -t $type -N '' -C '' -f "$keys/$owner-$type" || exit
  done
done
for type in ed25519 rsa; do
  ssh-keygen -q -s "$keys/other-ed25519" -I id -h "$keys/own-$type.pub" || exit
done

"$judge" files "$keys" "$files" "$seed" || fail 'a verdict is laxer than that of ssh-keygen'

# serve PORT: starts a server on loopback; false when the port is another's.
serve() {
  : >"$scratch/sshd.log"
  "$sshd" -D -e -f "$scratch/sshd_config" -p "$1" 2>>"$scratch/sshd.log" &
  server=$!
  for ((tries = 0; tries < 15000; tries++)); do
    grep -q 'Server listening' "$scratch/sshd.log" && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.02
  done
  return 1
}

cat >"$scratch/sshd_config" <<END
ListenAddress 127.0.0.1
HostKey $keys/own-ed25519
HostKey $keys/own-ecdsa
HostKey $keys/own-rsa
PidFile none
UsePAM no
MaxStartups 100
END
# It wants this folder when it runs as root.
if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi
for ((try = 0; try < 20; try++)); do
  port=$((20000 + RANDOM % 12000))
  if serve $port; then break; fi
  server=
done
if [ -n "$server" ]; then
  "$judge" connections "$keys" "$connections" "$seed" "$port" ||
    fail 'a verdict is laxer than that of ssh'
else
  fail "sshd does not start: $(cat "$scratch/sshd.log")"
fi

# OpenSSH's own program reads and changes what we keep.
store=$scratch/store/known_hosts
key() { cut -d ' ' -f 1,2 "$keys/$1.pub"; }
expect() {
  local is=$2
  [ "$is" = "$3" ] || fail "$1: '$is' in place of '$3'"
}
expect 'first key' "$("$judge" add "$store" box.example 2222 "$keys/own-ed25519.pub")" true
expect 'again' "$("$judge" add "$store" BOX.example 2222 "$keys/own-ed25519.pub")" false
expect 'second host' "$("$judge" add "$store" other 22 "$keys/other-rsa.pub")" true
expect 'mode' "$(stat -c %a "$store")" 600
expect 'found' "$(ssh-keygen -F '[box.example]:2222' -f "$store" | tail -n 1)" \
  "[box.example]:2222 $(key own-ed25519)"
case $("$judge" add "$store" box.example 2222 "$keys/other-ed25519.pub") in
  SSHHostKeyMismatch:*) ;;
  *) fail 'another key was recorded' ;;
esac
ssh-keygen -q -R '[box.example]:2222' -f "$store" >/dev/null 2>&1
expect 'removed' "$(cat "$store")" "other $(key other-rsa)"
ssh-keygen -q -H -f "$store" >/dev/null 2>&1
expect 'hashed' "$("$judge" add "$store" other 22 "$keys/other-rsa.pub")" false
expect 'reset' "$("$judge" reset "$store" other 22)" 1
expect 'empty' "$(cat "$store")" ''

# A first connection by many at once leaves one entry.
for ((one = 0; one < 20; one++)); do
  "$judge" add "$store" crowd 22 "$keys/own-ed25519.pub" >"$scratch/crowd.$one" &
  crowd[one]=$!
done
wait "${crowd[@]}"
expect 'crowd' "$(sort "$scratch"/crowd.* | uniq -c | tr -s ' \n' ' ')" ' 19 false 1 true '
expect 'one entry' "$(cat "$store")" "crowd $(key own-ed25519)"

# A disk that is full, as far as one process is concerned: nothing is damaged.
before=$(sha256sum "$store")
said=$(trap '' XFSZ && ulimit -f 0 && "$judge" add "$store" full 22 "$keys/own-rsa.pub" 2>&1 | cat)
case $said in
  StorageFailed:*) ;;
  *) fail "a full disk: $said" ;;
esac
expect 'after a full disk' "$(sha256sum "$store")" "$before"
expect 'nothing left over' "$(ls "$scratch/store")" $'known_hosts\nknown_hosts.lock\nknown_hosts.old'

if [ $status = 0 ]; then echo 'known-hosts.sh: nothing laxer than OpenSSH, nothing damaged'; fi
exit $status
