# shellcheck shell=bash
# Sourced by image.sh: the files of the image, and its hub, without a container engine.

: "${scratch:?}" "${layout:?}" "${config:?}" "${version:?}" "${layers[0]:?}"
system=$scratch/system
mkdir "$system"
for layer in "${layers[@]}"; do tar -x -z -C "$system" -f "$layout/blobs/sha256/$layer"; done
is 'programs that change their user' "$(find "$system" -type f -perm /6000)" ''
# The image has no manual pages.
is 'files of the package that are missing' "$(chroot "$system" dpkg --verify agentpipes | grep -v '/man\(/\|$\)' || true)" ''
is 'the owner of the data' "$(stat -c '%u %g %a' "$system/data")" '1000 1000 700'
is 'times after the commit' "$(find "$system" -type f -newermt "@$(git log -1 --format=%ct)" | head -n 3)" ''

# tool COMMAND...: runs a tool of the image as user 1000.
tool() {
  chroot --userspec=1000:1000 --groups= "$system" /usr/bin/env -i "${environment[@]}" "$@"
}

# first COMMAND...: the same as the first process of a container.
first() {
  # shellcheck disable=SC2016  # The inner shell expands these.
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$1/proc" && shift && exec "$@"' - "$system" \
    chroot --userspec=1000:1000 --groups= "$system" /usr/bin/env -i "${environment[@]}" "$@"
}

# container: runs the hub in namespaces of its own, whose loopback stands for the published port.
container() {
  local environment command outer code
  ip link set lo up
  mount -t proc proc "$system/proc"
  mapfile -t environment < <(jq -r '.config.Env[]' "$config")
  mapfile -t command < <(jq -r '.config.Entrypoint[], .config.Cmd[]' "$config")
  tool hub-serve --version
  first "${command[@]}" 2>/dev/null &
  for ((i = 0; i < 3000; i++)); do
    if curl -sf 127.0.0.1:7878/health; then break; fi
    sleep 0.1
  done
  curl -s -o /dev/null -w '%{http_code}\n' 127.0.0.1:7878/v1/overview
  code=$(tool hub-serve register-code --scope read | jq -r .code)
  AGENTPIPES_HOME=$scratch/device "$scratch/deb/usr/bin/pair" register http://127.0.0.1:7878 --code "$code" >/dev/null
  echo "registered: $?"
  # The subshell of the job, unshare(1), and below it the hub.
  outer=$(pgrep -P $! -x unshare || echo $!)
  kill "$(pgrep -P "$outer")"
  wait $!
  echo "ended: $?"
}
export scratch system config
export -f tool first container
is 'a hub of the image' "$(unshare --net --mount --pid --fork --mount-proc bash -c container 2>&1)" \
  "$(printf '%s\n' "hub-serve $version" '{"status":"ok"}' 401 'registered: 0' 'ended: 143')"
rm -rf --one-file-system "$system" "$layout"
