# SPDX-License-Identifier: Apache-2.0
# Sourced after expect.sh, here and in the guest: tests the client of samples/nfs with any server.
# shellcheck shell=bash disable=SC2154
lists_2000_entries() { "$nfs" ls "$@" | grep -c '^.*entry-[0-9]*$' | grep -qx 2000; }
same_tree() { diff -r "$1" "$2" && rm -rf "$2"; }

# client_operations LABEL DATA URL OPTION...: copies the directory DATA to URL/copied and back; unless $quick is set, also tests other operations.
# The server has a directory `many` of 2,000 entries. Options are the client's.
client_operations() {
  local label=$1 data=$2 url=$3 got
  shift 3
  got=$(mktemp -d)
  expect "$label: copies files of every size and a tree" "$nfs" cp -r "$data" "$url/copied" "$@"
  expect "$label: copies them back" "$nfs" cp -r "$url/copied" "$got/copied" "$@"
  expect "$label: they are identical" same_tree "$data" "$got/copied"
  if [ -z "${quick-}" ]; then
    expect "$label: lists 2,000 entries of a directory" lists_2000_entries "$url/many" "$@"
    expect "$label: shows a file's attributes" "$nfs" stat "$url/copied/large" "$@"
    expect "$label: creates a directory" "$nfs" mkdir "$url/made" "$@"
    expect "$label: renames it" "$nfs" mv "$url/made" "$url/moved" "$@"
    expect "$label: removes it" "$nfs" rm -r "$url/moved" "$@"
    expect "$label: names a missing file" fails_saying no-such-file "$nfs" cat "$url/no-such-file" "$@"
  fi
  rm -rf "$got"
}

# fill_export DIRECTORY: creates the files that client_operations and guest/mount expect on a server.
fill_export() {
  mkdir -p "$1/many"
  (cd "$1/many" && seq -f 'entry-%05.0f' 2000 | xargs touch)
}
