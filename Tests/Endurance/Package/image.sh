# shellcheck shell=bash
# Sourced by package.sh: the image and the apt repository.

if ! command -v mmdebstrap >/dev/null; then
  echo 'package.sh: no image was made: that needs mmdebstrap(1)'
  return
fi
: "${scratch:?}" "${version:?}" "${architecture:?}"

# made FOLDER: makes both in a folder.
made() {
  DPKG_DEB_COMPRESSOR_TYPE=none scripts/package --into "$1" symbols image repository "$1/apt" >/dev/null
}
made "$scratch/image"
name=agentpipes-$version-linux-$architecture.oci.tar
image=$scratch/image/$name
apt=$scratch/image/apt
holds 'SHA256SUMS does not hold for the image' env -C "$scratch/image" sha256sum --quiet -c SHA256SUMS

# The same tree and the same Debian give the same bytes.
made "$scratch/image-again"
holds 'the image has other bytes the second time' cmp -s "$image" "$scratch/image-again/$name"
is 'files of the repository that differ the second time' "$(diff -r "$apt" "$scratch/image-again/apt" || true)" ''
rm -r "$scratch/image-again"

# The digests in the archive, and how a container runs.
layout=$scratch/layout
mkdir "$layout"
tar -x -C "$layout" -f "$image"
# part QUERY FILE: the path of the blob whose digest is in a file.
part() { echo "$layout/blobs/sha256/$(jq -r "$1 | ltrimstr(\"sha256:\")" "$2")"; }
manifest=$(part '.manifests[0].digest' "$layout/index.json")
config=$(part .config.digest "$manifest")
mapfile -t layers < <(jq -r '.layers[].digest | ltrimstr("sha256:")' "$manifest")
is 'digests of blobs' "$(cd "$layout/blobs/sha256" && sha256sum -- * | awk '$1 != $2')" ''
is 'the layers of docker' "$(jq -r '.[0].Layers[]' "$layout/manifest.json")" "$(printf 'blobs/sha256/%s\n' "${layers[@]}")"
is 'the digests of the unpacked layers' "$(jq -r '.rootfs.diff_ids[]' "$config")" \
  "$(for layer in "${layers[@]}"; do echo "sha256:$(gzip -cd "$layout/blobs/sha256/$layer" | sha256sum | cut -d ' ' -f 1)"; done)"
is 'how a container runs' "$(jq -c '.config | [.User, .Entrypoint, .Cmd, .WorkingDir, .Volumes, .ExposedPorts]' "$config")" \
  '["1000:1000",["hub-serve"],["--listen","0.0.0.0:7878","--auth","strict"],"/data",{"/data":{}},{"7878/tcp":{}}]'
if command -v skopeo >/dev/null; then
  skopeo inspect "oci-archive:$image" >"$scratch/inspected"
  is 'the environment' "$(jq -r '.Env[]' "$scratch/inspected" | grep -v ^PATH= | sort | xargs)" \
    'AGENTPIPES_HOME=/data HOME=/data LANG=C.UTF-8'
  is 'the labels' "$(jq -r '.Labels | to_entries[] | .key + "=" + .value' "$scratch/inspected" | sort)" \
    "$(printf 'org.opencontainers.image.%s\n' licenses=Apache-2.0 "revision=$(git rev-parse HEAD)" title=agentpipes "version=$version")"
  holds 'skopeo cannot copy the image as docker reads it' skopeo copy -q "docker-archive:$image" "dir:$scratch/docker"
  rm -rf "$scratch/docker"
else
  echo 'package.sh: skopeo(1) did not judge the image: it is not installed'
fi
if docker info >/dev/null 2>&1; then
  holds 'docker load fails' docker load -q -i "$image"
  is 'hub-serve by docker' "$(docker run --rm --network none "localhost/agentpipes:$version" --version)" "hub-serve $version"
  docker rmi "localhost/agentpipes:$version" >/dev/null
else
  echo 'package.sh: docker did not load the image: no daemon runs'
fi

if [[ $(id -u) != 0 ]]; then
  echo 'package.sh: the image did not run: that needs root'
  return
fi
# shellcheck source=Tests/Endurance/Package/container.sh
source Tests/Endurance/Package/container.sh
# shellcheck source=Tests/Endurance/Package/repository.sh
source Tests/Endurance/Package/repository.sh
