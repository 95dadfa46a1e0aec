# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests that run on this machine: defines the commands under test, ports and test data, and cleans up.
# shellcheck shell=bash disable=SC2034,SC2154
set -euo pipefail
. "$here/expect.sh"
nfs=$here/../../samples/nfs/bin/nfs
nfs_server=$here/../../samples/nfs/bin/nfs-server
share=$(mktemp -d)
processes=()

end_session() {
  local process
  for process in "${processes[@]}"; do
    kill "$process" 2>/dev/null || continue
    wait "$process" 2>/dev/null || true
  done
  rm -rf "$share"
}
trap end_session EXIT
trap 'exit 130' INT TERM

rdma_port='' tcp_port='' mount_port='' server=''
exported=$share/export:rw,no_root_squash

# A free TCP port of this machine, below the ephemeral ports.
free_port() {
  local port
  while port=$((20100 + RANDOM % 12000)); do
    listens "$port" || { echo "$port"; return; }
  done
}

# start_server: serves $exported (default: $share/export) with no_root_squash at $rdma_port, $tcp_port and $mount_port, with $server_options.
server_options=()
start_server() {
  "$nfs_server" --export "$exported" --state "$share/state" --bind 127.0.0.1 --port "$rdma_port" --tcp-port "$tcp_port" \
    --mount-port "$mount_port" "${server_options[@]}" >>"$share/server.log" 2>&1 &
  server=$!
  processes+=("$server")
  within 60 listens "$mount_port" || { cat "$share/server.log"; return 1; }
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# random_file FILE BYTES
random_file() { head -c "$2" /dev/urandom >"$1"; }

# The sizes around the default inline thresholds, and one that is not a multiple of four in every position.
odd_sizes=(0 1 1023 1024 1025 1026 4093 4095 4096 4097 8191 8193 65537 1000003)

# fill_data DIRECTORY LARGE DIRECTORIES FILES SIZE...: creates a file of LARGE MiB, files of these sizes, and a tree of small files.
fill_data() {
  local directory file size
  mkdir -p "$1/tree"
  random_file "$1/large" $(($2 << 20))
  for size in "${@:5}"; do random_file "$1/$size" "$size"; done
  for ((directory = 1; directory <= $3; directory++)); do
    mkdir "$1/tree/$directory"
    for ((file = 1; file <= $4; file++)); do random_file "$1/tree/$directory/$file" $((RANDOM % 20000)); done
  done
}
