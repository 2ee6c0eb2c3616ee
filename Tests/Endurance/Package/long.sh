# shellcheck shell=bash
# Sourced by package.sh: the packages in a new Debian, as root.

if command -v lintian >/dev/null; then
  is 'what lintian says' "$(lintian --allow-root --fail-on none "$deb" 2>&1)" ''
fi

# The same tree gives the same bytes.
scripts/package --into "$scratch/again" deb tarball >/dev/null
for file in "$deb" "$tarball"; do
  holds "'$file' has other bytes the second time" cmp -s "$file" "$scratch/again/${file##*/}"
done

if [[ $(id -u) != 0 ]] || ! command -v mmdebstrap >/dev/null; then
  echo 'package.sh: no Debian was made: that needs root and mmdebstrap(1)'
  return
fi
mmdebstrap --quiet --mode=unshare --variant=minbase --include=ca-certificates bookworm "$scratch/debian.tar"

if command -v piuparts >/dev/null; then
  gzip -1 <"$scratch/debian.tar" >"$scratch/debian.tgz"
  # Its mounts end with the namespace.
  holds 'piuparts found a fault' unshare --mount env TMPDIR="$scratch" piuparts --no-eatmydata --keep-sources-list \
    --skip-logrotatefiles-test -b "$scratch/debian.tgz" -d bookworm -l "$scratch/piuparts" "$deb" >/dev/null
fi

# new_debian: a new system in $debian.
new_debian() {
  debian=$scratch/debian
  rm -rf --one-file-system "$debian"
  mkdir "$debian"
  tar -x -C "$debian" -f "$scratch/debian.tar"
  cp /etc/resolv.conf "$debian/etc/resolv.conf"
  cp "$deb" "$tarball" "$debian/tmp"
}

# inside COMMAND: runs a command line in the system, as root, in namespaces of its own.
inside() {
  unshare --mount --pid --fork --uts --ipc env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive chroot "$debian" /bin/bash -c "mount -t proc proc /proc && $1" </dev/null
}

# files: what the system has outside of home folders and what programs keep for themselves.
files() {
  (cd "$debian" && find . -xdev ! -path './var/*' ! -path './root/*' ! -path './tmp/*' ! -path './proc/*' \
    ! -path './etc/ld.so.cache' | sort)
}

page='{"type":"page","url":"https://a.example/","text":"To compare the two, read the log first. The log appends changes to a file, and readers do not wait for a writer. The journal copies the old pages before a commit."}'
job="{ ceo-plan 'Compare the WAL and the rollback journal' </dev/null; echo '$page'; } | stage-run --yolo | export-md --into notes"

new_debian
start=$SECONDS
if inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/${deb##*/} && cd /root && $job" \
  >"$scratch/out" 2>&1; then
  echo "from the .deb to the first file: $((SECONDS - start)) s"
  is 'the files of the first pipeline' "$(find "$debian/root/notes" -name '*.md' | wc -l)" 3
else
  tail -n 20 "$scratch/out"
  fail 'the first pipeline does not run from the .deb'
fi

inside 'apt-get install -y -qq --no-install-recommends man-db mandoc bash-completion zsh fish' >/dev/null 2>&1
inside 'man stage-run | head -n 4' >"$scratch/out" 2>&1
holds 'man stage-run shows nothing' grep -q stage-run "$scratch/out"
is 'completions of bash' "$(inside 'source /usr/share/bash-completion/bash_completion && _completion_loader stage-run;
  complete -p stage-run' 2>&1 | grep -c stage-run)" 1
is 'completions of zsh' "$(inside "zsh -fc 'autoload -Uz compinit && compinit -u && echo \$_comps[stage-run]'" 2>&1)" _stage-run
is 'completions of fish' "$(inside "fish -c 'complete -C \"stage-run --yo\"'" 2>&1 | cut -f 1)" --yolo

# A purge leaves nothing of ours.
inside "dpkg --purge agentpipes" >/dev/null 2>&1
is 'what a purge leaves' "$(files | grep -i agentpipes || true)" ''
holds 'the data of the user is gone' test -d "$debian/root/.local/share/agentpipes"

# The same from the tarball, with the libraries that the .deb names.
new_debian
needed=$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/,/ /g; s/|[^ ]* */ /g')
if inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends zstd $needed &&
  mkdir -p /root/.local && tar -x --zstd -C /root/.local --strip-components 1 -f /tmp/${tarball##*/} &&
  cd /root && PATH=/root/.local/bin:\$PATH && $job" >"$scratch/out" 2>&1; then
  is 'the files of the first pipeline' "$(find "$debian/root/notes" -name '*.md' | wc -l)" 3
else
  tail -n 20 "$scratch/out"
  fail 'the first pipeline does not run from the tarball'
fi

# An installation that is killed is whole after dpkg --configure.
new_debian
inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends $needed" >/dev/null 2>&1
for ((round = 1; round <= 20; round++)); do
  # Between nothing and about the time that an installation takes.
  inside "dpkg -i /tmp/${deb##*/} & sleep 0.$((RANDOM % 90 + 10)); kill -9 \$!; wait" >/dev/null 2>&1 || true
  inside "dpkg --configure -a; dpkg -i /tmp/${deb##*/}" >"$scratch/out" 2>&1 || true
  is "after kill $round" "$(inside 'dpkg --verify agentpipes; dpkg-query -W -f \${Status} agentpipes; stage-run --version' 2>&1)" \
    "install ok installedstage-run $version"
done
