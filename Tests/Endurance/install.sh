#!/bin/bash
# Installs into a folder, moves it, and runs every tool there with an empty environment.
#
# usage: Tests/Endurance/install.sh [--short]       --short takes the debug build that scripts/test has made
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
if [[ ${1:-} == --short ]]; then export AGENTPIPES_BIN=.build/debug; fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/agentpipes-install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
status=0
fail() {
  echo "install.sh: $*"
  status=1
}

mapfile -t tools < <(scripts/lib/tools)
export DESTDIR=$scratch/made
scripts/install /usr >/dev/null

# An update takes away what it no longer has.
touch "$DESTDIR/usr/bin/old-tool"
echo bin/old-tool >>"$DESTDIR/usr/lib/agentpipes/installed-files"
scripts/install /usr >/dev/null
[[ ! -e $DESTDIR/usr/bin/old-tool ]] || fail "an update kept 'bin/old-tool'"

mv "$scratch/made" "$scratch/moved"
export DESTDIR=$scratch/moved
bin=$DESTDIR/usr/bin
for tool in "${tools[@]}"; do
  [[ $(env -i "$bin/$tool" --version) == "$tool "* ]] || fail "'$tool --version' says something else"
  linker=$(patchelf --print-interpreter "$bin/$tool")
  foreign=$(env -i "$linker" --list "$bin/$tool" | grep -E 'not found|libswift|Foundation|-dynamic' |
    grep -v -F "=> $bin/../lib/agentpipes/" || true)
  [[ -z $foreign ]] || fail "'$tool' loads from elsewhere:$foreign"
  for file in "share/man/man1/$tool.1" "share/bash-completion/completions/$tool" \
    "share/zsh/site-functions/_$tool" "share/fish/vendor_completions.d/$tool.fish"; do
    [[ -s $DESTDIR/usr/$file ]] || fail "'$file' is missing"
  done
done

link=share/applications/agentpipes-link-open.desktop
desktop-file-validate "$DESTDIR/usr/$link" || fail "'$link' is no valid desktop entry"
handler=$(env -i PATH="$PATH" HOME="$scratch" XDG_DATA_HOME="$DESTDIR/usr/share" \
  xdg-mime query default x-scheme-handler/ayna)
[[ $handler == "${link##*/}" ]] || fail "links go to '$handler'"

empty=(env -i "AGENTPIPES_HOME=$scratch/home" "HOME=$scratch")
page='{"type":"page","url":"https://a.example/","text":"To compare the two, read the log first. The log appends changes to a file, and readers do not wait for a writer. The journal copies the old pages before a commit."}'
{
  "${empty[@]}" "$bin/ceo-plan" 'Compare one thing with another' </dev/null
  echo "$page"
} |
  "${empty[@]}" "$bin/stage-run" --yolo |
  "${empty[@]}" "$bin/export-md" --into "$scratch/notes" >"$scratch/files.ndjson" ||
  fail 'the main job failed'
grep -q '"type":"file"' "$scratch/files.ndjson" || fail 'the main job wrote no file'

if [[ $(id -u) == 0 ]] && unshare --mount --net true 2>/dev/null; then
  python3 Tests/Endurance/Package/bare.py "$bin" || status=1
else
  echo 'install.sh: no tool was run on a read-only system: that needs the superuser'
fi

scripts/uninstall /usr >/dev/null
left=$(find "$DESTDIR" ! -type d)
[[ -z $left ]] || fail "uninstall left $left"
if scripts/uninstall /usr >/dev/null 2>&1; then fail 'uninstall of nothing went well'; fi

if [[ $status == 0 ]]; then echo "install.sh: ${#tools[@]} tools installed, moved, run and removed"; fi
exit $status
