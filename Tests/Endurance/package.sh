#!/bin/bash
# Makes the packages, and uses them as a person does who has no toolchain.
#
#   Tests/Endurance/package.sh [--short]
#
# The short form packages the debug build, checks the contents of the packages, and tries an upgrade of the
# .deb to itself (upgrade.sh). The long form packages .build/release and, as root, installs the results into
# a new Debian 12: the README's first pipeline from the .deb and from the tarball, pages, completions, an
# installation that is killed, a purge. It also runs the hub of the image, and installs from the apt
# repository. It needs mmdebstrap(1); lintian(1) and piuparts(1) judge the .deb, and
# skopeo(1) the image.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
case ${1:-} in
  '') short= ;;
  --short)
    short=1
    # What is not shipped need not be small.
    export DPKG_DEB_COMPRESSOR_TYPE=none ZSTD_CLEVEL=1
    ;;
  *)
    echo 'usage: package.sh [--short]' >&2
    exit 64
    ;;
esac
if [[ -n $(git status --porcelain) ]]; then
  echo 'package.sh: nothing was tried: a package is made of a commit, and there are uncommitted changes'
  exit 0
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/agentpipes-package.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
failed=0
passed=0
pass() { passed=$((passed + 1)); }
fail() {
  echo "package.sh: $*"
  failed=$((failed + 1))
}
# holds FAULT COMMAND...: the command must succeed.
holds() { if "${@:2}"; then pass; else fail "$1"; fi; }
# is WHAT SEEN WANTED
is() { if [[ $2 == "$3" ]]; then pass; else fail "$1: '$2', not '$3'"; fi; }

version=$(scripts/lib/version)
architecture=$(dpkg --print-architecture)
dist=$scratch/dist
deb=$dist/agentpipes_${version}_$architecture.deb
tarball=$dist/agentpipes-$version-linux-$architecture.tar.zst
if [[ -n $short ]]; then
  # shellcheck source=scripts/lib/toolchain
  source scripts/lib/toolchain
  scripts/lib/join .build/debug "$scratch/joined"
  export AGENTPIPES_BIN=$scratch/joined
fi
scripts/package --into "$dist" deb tarball

# What the packages contain.
holds 'SHA256SUMS does not hold' env -C "$dist" sha256sum --quiet -c SHA256SUMS
dpkg-deb -x "$deb" "$scratch/deb"
mkdir "$scratch/tarball"
tar -x --zstd -C "$scratch/tarball" --strip-components 1 -f "$tarball"
mapfile -t tools < <(scripts/lib/tools)
is 'the tools of the .deb' "$(cd "$scratch/deb/usr/bin" && echo *)" "$(printf '%s\n' "${tools[@]}" | sort | xargs)"
is 'the tools of the tarball' "$(cd "$scratch/tarball/bin" && echo *)" "$(cd "$scratch/deb/usr/bin" && echo *)"
is 'owners' "$(dpkg-deb -c "$deb" | awk '{ print $2 }' | sort -u)" root/root
is 'scripts that run as root' "$(dpkg-deb --ctrl-tarfile "$deb" | tar -t | grep -v -E '/$|/(control|md5sums)$')" ''
is 'the version of the package' "$(dpkg-deb -f "$deb" Version)" "$version"
is 'the newest release in CHANGELOG.md' "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)" "$version"
is 'the version in the changelog of the package' \
  "$(zcat "$scratch/deb/usr/share/doc/agentpipes/changelog.gz" | sed -n '1s/.*(\(.*\)).*/\1/p')" "$version"
for tool in "${tools[@]}"; do
  for bin in "$scratch/deb/usr/bin" "$scratch/tarball/bin"; do
    is "$bin/$tool" "$(env -i "$bin/$tool" --version)" "$tool $version"
    is "where $bin/$tool looks for libraries" \
      "$(readelf -d "$bin/$tool" | sed -n 's/.*runpath: \[\(.*\)\]/\1/p')" ''
  done
  for file in "man/man1/$tool.1.gz" "bash-completion/completions/$tool" "zsh/vendor-completions/_$tool" \
    "fish/vendor_completions.d/$tool.fish"; do
    holds "the .deb lacks '$file'" test -s "$scratch/deb/usr/share/$file"
  done
done
if [[ -z $short ]]; then
  strings -a "$scratch"/deb/usr/bin/* | grep -F "$root" >"$scratch/paths" || true
  is 'paths of this machine' "$(head -n 3 "$scratch/paths")" ''
fi

while read -r page; do
  holds "the .deb lacks '$page', to which a manual page refers" test -s "$scratch/deb/usr/share/doc/agentpipes/$page"
done < <(grep -h -o 'docs/[a-z/-]*\.[a-z][a-z]*' man/*.[1-8] | sort -u)

documents=$scratch/deb/usr/share/doc/agentpipes
while read -r file link; do
  holds "a link in '$file' leads nowhere: '$link'" test -e "$(dirname "$file")/$link"
done < <(grep -ro --include='*.md' ']([^)#: ]*[)#]' "$documents" | sed 's/:](/ /; s/.$//')

# Licences: of each package of the build and of the runtime, once each in both lists.
jq -r '.object.dependencies[].packageRef.identity' .build/workspace-state.json | sort >"$scratch/linked"
echo swift-runtime >>"$scratch/linked"
jq -r '.packages[].name' "$documents/agentpipes.spdx.json" | grep -v / | grep -v '^agentpipes$' | sort >"$scratch/listed"
is 'the list of packages' "$(cat "$scratch/listed")" "$(sort "$scratch/linked")"
while read -r name; do
  holds "the licence of '$name' is missing" grep -q "^$name [0-9]" "$documents/copyright"
done <"$scratch/linked"
# Of files that have a licence of their own.
for owner in 'WIDE Project' 'Rich Felker'; do
  holds "the licence of '$owner' is missing" grep -q "^Copyright .*$owner" "$documents/copyright"
done

# shellcheck source=scripts/lib/peers
source scripts/lib/peers
install_peers package
is 'what spdx-tools says' "$("${peers%/*}/pyspdxtools" -i "$documents/agentpipes.spdx.json" 2>&1)" ''

if command -v systemd-analyze >/dev/null; then
  for unit in user/agentpipes-hub.service system/agentpipes-hub@.service; do
    made=$(find "$scratch/deb" -path "*/systemd/$unit")
    # The unit names a tool that is not installed here.
    sed "s|/usr/bin/|$scratch/deb/usr/bin/|" "$made" >"$scratch/${unit##*/}"
    mode=--${unit%%/*}
    is "$unit" "$(XDG_RUNTIME_DIR=$scratch SYSTEMD_LOG_LEVEL=warning systemd-analyze "$mode" --man=no verify "$scratch/${unit##*/}" 2>&1)" ''
  done
fi
is 'the image of the unit' "$(sed -n 's/^Image=//p' docs/systemd/agentpipes-hub.container)" "localhost/agentpipes:$version"

holds 'an upgrade fails' Tests/Endurance/upgrade.sh "$deb" "$deb"

if [[ -z $short ]]; then
  # shellcheck source=Tests/Endurance/Package/long.sh
  source Tests/Endurance/Package/long.sh
  # shellcheck source=Tests/Endurance/Package/image.sh
  source Tests/Endurance/Package/image.sh
fi
echo "$passed passed, $failed failed"
((failed == 0))
