# shellcheck shell=bash
# Sourced by image.sh: a new Debian installs from the apt repository, unsigned and signed.

: "${scratch:?}" "${apt:?}" "${version:?}" "${architecture:?}"
if [[ ! -f $scratch/debian.tar ]]; then return; fi

# installed OPTION: prints the packages that apt installs from the repository, with an option of its source.
installed() {
  new_debian
  cp -r "$apt" "${debian:?}/srv/apt"
  echo "deb [$1] file:/srv/apt stable main" >"${debian:?}/etc/apt/sources.list.d/agentpipes.list"
  if inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends agentpipes-dbgsym' >"$scratch/out" 2>&1; then
    # shellcheck disable=SC2016  # dpkg-query expands these.
    inside 'dpkg-query -W -f "\${Package} \${Status}\n" "agentpipes*"; stage-run --version'
  else
    tail -n 20 "$scratch/out"
  fi
}
wanted=$(printf '%s\n' 'agentpipes install ok installed' 'agentpipes-dbgsym install ok installed' "stage-run $version")
is 'the packages that apt installs' "$(installed trusted=yes)" "$wanted"

if command -v gpg >/dev/null; then
  # gpg-agent needs a short path for its socket.
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  gpg --batch --quiet --passphrase '' --quick-generate-key agentpipes-test ed25519 sign 2>/dev/null
  DPKG_DEB_COMPRESSOR_TYPE=none scripts/package --into "$scratch/image" --gpg agentpipes-test symbols deb repository "$apt" >/dev/null
  gpgconf --kill all
  rm -r "${GNUPGHOME:?}"
  unset GNUPGHOME
  is 'the packages that apt installs by a signature' "$(installed signed-by=/srv/apt/agentpipes.asc)" "$wanted"
  sed -i 's/^Label: .*/Label: other/' "$apt/dists/stable/InRelease"
  holds 'apt takes a repository that was changed' grep -q 'BADSIG\|invalid' <<<"$(installed signed-by=/srv/apt/agentpipes.asc)"
fi

# An older version stays in the repository.
older=$scratch/agentpipes_0.0.1_$architecture.deb
dpkg-deb -R "$scratch/image/agentpipes_${version}_$architecture.deb" "$scratch/older"
sed -i 's/^Version: .*/Version: 0.0.1/' "$scratch/older/DEBIAN/control"
dpkg-deb -Znone -b "$scratch/older" "$older" >/dev/null
SOURCE_DATE_EPOCH=0 scripts/package.d/repository "$apt" "$older"
is 'the versions in the repository' \
  "$(sed -n 's/^Version: //p' "$apt/dists/stable/main/binary-$architecture/Packages" | sort -u | xargs)" "0.0.1 $version"
is 'signatures that do not hold' "$(find "$apt" -name 'InRelease' -o -name 'Release.gpg' -o -name '*.asc')" ''
