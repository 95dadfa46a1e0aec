# SPDX-License-Identifier: Apache-2.0
# Sourced in the guest, after expect.sh, by tests that mount a server with the kernel's NFS client. Their arguments are LABEL PROTO ADDRESS PORT
# MOUNTPORT EXPORT. Each function does one thing in the mounted directory, which is the current one. Test data are in $data, or in /lab/data.
# shellcheck shell=bash disable=SC2034
data=${data:-/lab/data}
label=$1 proto=$2 address=$3 port=$4 mount_port=$5 export=$6
modprobe rpcrdma
mkdir -p /mnt/nfs
version=3
mount_options() {
  local only_3=",mountport=$mount_port,mountproto=${proto/rdma/tcp},nolock"
  [ $version = 3 ] || only_3=
  echo "vers=$version,proto=$proto,port=$port,timeo=300,retrans=1$only_3"
}
mnt() { timeout 60 mount -t nfs -o "$(mount_options),soft" "$address:$export" /mnt/nfs; }
forget_cached() { sync && echo 3 >/proc/sys/vm/drop_caches; }
same() { forget_cached && cmp "$1" "$2"; }
copy_tree() { cp -r "$data/tree" tree && forget_cached && diff -r "$data/tree" tree; }
count_of() { [ "$(find "$1" -type f | wc -l)" = "$2" ]; }
write_buffered() { dd if="$data/large" of=buffered bs=1M conv=fsync && same "$data/large" buffered; }
write_direct() { dd if="$data/large" of=direct bs=1M oflag=direct && same "$data/large" direct && rm direct; }
read_direct() { forget_cached && dd if=buffered bs=1M iflag=direct | cmp - "$data/large"; }
write_odd() { dd if="$data/$1" of="odd-$1" bs=2M && same "$data/$1" "odd-$1"; }
append() { echo one >log && echo two >>log && forget_cached && [ "$(cat log)" = $'one\ntwo' ]; }
truncates() { cp "$data/4097" cut && truncate -s 1025 cut && forget_cached && cmp -n 1025 "$data/4097" cut && [ "$(stat -c %s cut)" = 1025 ]; }
grows() { truncate -s 5000 cut && forget_cached && [ "$(stat -c %s cut)" = 5000 ] && cmp -n 3975 -i 1025:0 cut /dev/zero; }
renames() { mv log moved && [ ! -e log ] && [ "$(head -n 1 moved)" = one ]; }
modes() { chmod 640 moved && forget_cached && [ "$(stat -c %a moved)" = 640 ]; }
times() { touch -d @1000000000 moved && forget_cached && [ "$(stat -c %Y moved)" = 1000000000 ]; }
exclusive() { (set -C && echo mine >exclusive) && ! (set -C && echo yours >exclusive) 2>/dev/null && [ "$(cat exclusive)" = mine ]; }
fill() { mkdir filled && (cd filled && seq -f 'entry-%05.0f' 2000 | xargs touch) && forget_cached && count_of filled 2000; }
refuses_rmdir() { ! rmdir tree 2>/dev/null; }
# asks REQUEST: creates a file in /lab, and waits until the host has done what it stands for and removed it.
asks() { touch "/lab/$1" && within 100 test ! -e "/lab/$1"; }
still_open() { cmp - "$data/4097" <&3; }
# The kernel's statistics of the mount's transport: replies that it could not match or decode, and chunks of both kinds.
judged_well() {
  awk '$1 == "device" { ours = $5 == "/mnt/nfs" }
    ours && $1 == "xprt:" { print; good = $10 == 0 && $22 == 0 && $13 > 0 && $14 > 0 }
    END { exit !good }' /proc/self/mountstats
}
