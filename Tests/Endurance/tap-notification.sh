#!/bin/bash
# Sends notifications to a real Firefox and a real Chromium on a desktop, and taps them: the gate opens, signed in.
#
#   Tests/Endurance/tap-notification.sh [--short]
#
# Both forms are the same. Firefox subscribes by a press at a push service of the script's own, decrypts what
# push-notify sends, subscribes again after the service lost it, and stops. Chromium gets the message from its
# debugger. It needs firefox-esr(1), chromium(1), Xvfb(1), dbus-daemon(1) and dunst(1), and .build/venv-page, which
# scripts/test installs: without these, nothing is tried. The tools are those of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)

case $* in
  '' | --short) ;;
  *)
    echo 'usage: tap-notification.sh [--short]' >&2
    exit 64
    ;;
esac
for program in firefox-esr chromium Xvfb dbus-daemon dunst dunstctl "$root/.build/venv-page/bin/python"; do
  if ! command -v "$program" >/dev/null; then
    echo "tap-notification.sh: nothing was tried: there is no ${program#"$root/"}"
    exit 0
  fi
done
exec "$root/.build/venv-page/bin/python" "$root/Tests/Endurance/Page/tap_notification.py"
