#!/bin/bash
# Kills export-md by SIGKILL at random points and checks that every file is either the old or the new
# one, whole, that the next run leaves nothing but the files, and that what was changed by hand stays.
#
#   Tests/Endurance/kill-export.sh [--short] [--seed N]
#
# 200 points, or 25 with --short; a run that ended before its point was reached is checked too, but
# not counted. The same seed chooses the same points. The tool is that of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${AGENTPIPES_BIN:-$root/.build/debug}
rounds=200
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --short) rounds=25 ;;
    --seed)
      seed=${2:?kill-export.sh: --seed needs a number}
      shift
      ;;
    *)
      echo "usage: kill-export.sh [--short] [--seed N]" >&2
      exit 64
      ;;
  esac
  shift
done

if [ ! -x "$bin/export-md" ]; then
  echo "kill-export.sh: no tool in '$bin': build it, or set AGENTPIPES_BIN" >&2
  exit 66
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$bin:$PATH" HOME="$scratch/user" AGENTPIPES_HOME="$scratch/home" TZ=UTC LANG=C.UTF-8
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME"

# Two dozen records over three folders, of 1 to 40 kB; two versions of each.
for version in old new; do
  jq -cn --arg version $version 'range(24) | {
    type: "artifact", id: "id-\(.)", project: "P\(. % 3)", role: "producer", title: "\(.)",
    createdAt: "2026-02-25T10:00:00.000Z",
    content: (($version + " line\n") * (100 + . * . * 8))}' >"$scratch/$version.ndjson"
done

sums() { (cd "$1" && find . -type f -printf '%P\n' | sort | xargs -r -d '\n' sha256sum); }

now() { echo $(($(date +%s%N) / 1000)); }

export-md --into "$scratch/old" <"$scratch/old.ndjson" >"$scratch/told" || exit
# Three of the files are changed by hand: they stay, and their new text goes beside them.
jq -r 'select(.artifactId | IN("id-3", "id-10", "id-17")) | .path' "$scratch/told" >"$scratch/edited"
while IFS= read -r path; do echo 'By hand.' >>"$path"; done <"$scratch/edited"
export-md --into "$scratch/fresh" <"$scratch/new.ndjson" >>"$scratch/told" || exit
start=$(now)
cp -r "$scratch/old" "$scratch/new"
export-md --into "$scratch/new" <"$scratch/new.ndjson" >>"$scratch/told" || exit
length=$(($(now) - start))
sums "$scratch/old" >"$scratch/old.sums"
sums "$scratch/new" >"$scratch/new.sums"
sums "$scratch/fresh" >"$scratch/fresh.sums"
# The sums of the files that were changed by hand.
comm -12 <(sort "$scratch/old.sums") <(sort "$scratch/new.sums") >"$scratch/kept.sums"
if [ "$(wc -l <"$scratch/fresh.sums")" != 24 ] || [ "$(wc -l <"$scratch/new.sums")" != 27 ] ||
  [ "$(wc -l <"$scratch/kept.sums")" != 3 ]; then
  echo "kill-export.sh: the unbroken runs did not write 24 files in two versions, 3 edited" >&2
  exit 1
fi

passed=0
failed=0
early=0
strays=0
# An unbroken run at a busy moment takes longer than the later ones: points that they do not reach come closer.
span=$length
RANDOM=$seed
for ((round = 1; passed + failed < rounds && early < 3 * rounds; round++)); do
  base=$scratch/round
  rm -rf "$base"
  # Every third run writes to a folder that is not there yet.
  whole=$scratch/fresh.sums
  if ((round % 3)); then
    cp -r "$scratch/old" "$base"
    whole=$scratch/new.sums
  fi
  delay=$(((RANDOM * 32768 + RANDOM) % span))
  export-md --into "$base" <"$scratch/new.ndjson" >/dev/null 2>&1 &
  runner=$!
  sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
  kill -KILL "$runner" 2>/dev/null
  wait "$runner" 2>/dev/null
  killed=$?

  problems=
  if ((round % 3)) && [ "$(sums "$base" | grep -c -x -F -f "$scratch/kept.sums")" != 3 ]; then
    problems+="; a file that was changed by hand is gone"
  fi
  if [ -d "$base" ]; then
    if sums "$base" | grep -v -F '/.export-md-' |
      grep -v -x -F -f "$scratch/old.sums" -f "$whole" >"$scratch/broken"; then
      problems+="; not whole: $(head -n 1 "$scratch/broken")"
    fi
    strays=$((strays + $(find "$base" -name '.export-md-*' | wc -l)))
  fi
  export-md --into "$base" <"$scratch/new.ndjson" >/dev/null || problems+="; the next run failed"
  sums "$base" | cmp -s - "$whole" || problems+="; the next run left other files"

  if [ -n "$problems" ]; then
    failed=$((failed + 1))
    echo "round $round (seed $seed), killed after $delay µs: ${problems#; }"
  elif [ "$killed" = 137 ]; then
    passed=$((passed + 1))
  else
    early=$((early + 1))
    span=$(((span + delay) / 2 + 1))
  fi
done

echo "an unbroken run takes $((length / 1000)) ms; $strays files were left half written;" \
  "$early runs more ended before they could be killed"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$rounds" ]
