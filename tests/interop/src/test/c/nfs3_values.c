// SPDX-License-Identifier: Apache-2.0
// Encodes some NFSv3 values with rpcgen's code for nfs3.x and libtirpc. Prints a line "NAME HEX" for each. RpcgenTest encodes the same values.
#include <rpc/rpc.h>
#include <stdio.h>

#include "nfs3.h"

static int print(const char *name, xdrproc_t encode, void *value) {
    char bytes[4096];
    XDR out;
    xdrmem_create(&out, bytes, sizeof bytes, XDR_ENCODE);
    if (!encode(&out, value)) {
        fprintf(stderr, "%s cannot be encoded\n", name);
        return 1;
    }
    printf("%s ", name);
    for (u_int i = 0; i < xdr_getpos(&out); i++) {
        printf("%02x", (unsigned char)bytes[i]);
    }
    printf("\n");
    return 0;
}

int main(void) {
    char handle_bytes[] = {1, 2, 3, 4, 5};
    nfs_fh3 handle = {{sizeof handle_bytes, handle_bytes}};
    post_op_attr attributes = {
        .attributes_follow = TRUE,
        .post_op_attr_u.attributes = {
            .type = NF3DIR,
            .mode = 0755,
            .nlink = 2,
            .uid = 4000000000U,
            .gid = 100,
            .size = 0x123456789abcdefULL,
            .used = 8192,
            .rdev = {7, 8},
            .fsid = 0xfedcba9876543210ULL,
            .fileid = 42,
            .atime = {1, 2},
            .mtime = {3, 4},
            .ctime = {5, 6},
        },
    };

    READ3res read = {.status = NFS3_OK};
    read.READ3res_u.resok.file_attributes = attributes;
    read.READ3res_u.resok.count = 5;
    read.READ3res_u.resok.eof = TRUE;
    read.READ3res_u.resok.data.data_len = 5;
    read.READ3res_u.resok.data.data_val = "hello";

    READ3res stale = {.status = NFS3ERR_STALE};

    WRITE3args write = {.file = handle, .offset = 1ULL << 40, .count = 3, .stable = DATA_SYNC, .data = {3, "abc"}};

    SETATTR3args setattr = {.object = handle};
    setattr.new_attributes.mode.set_it = TRUE;
    setattr.new_attributes.mode.set_mode3_u.mode = 0600;
    setattr.new_attributes.size.set_it = TRUE;
    setattr.new_attributes.size.set_size3_u.size = 10;
    setattr.new_attributes.atime.set_it = SET_TO_SERVER_TIME;
    setattr.new_attributes.mtime.set_it = SET_TO_CLIENT_TIME;
    setattr.new_attributes.mtime.set_mtime_u.mtime.seconds = 9;
    setattr.guard.check = TRUE;
    setattr.guard.sattrguard3_u.obj_ctime.nseconds = 999999999;

    CREATE3args create = {.where = {handle, "name of 17 bytes."}, .how = {.mode = EXCLUSIVE}};
    for (int i = 0; i < NFS3_CREATEVERFSIZE; i++) {
        create.how.createhow3_u.verf[i] = (char)(0xf0 + i);
    }

    entryplus3 second = {.fileid = 3, .name = "b\xff", .cookie = 2};
    entryplus3 first = {.fileid = 2, .name = "a", .cookie = 1, .name_attributes = attributes, .nextentry = &second};
    first.name_handle.handle_follows = TRUE;
    first.name_handle.post_op_fh3_u.handle = handle;
    READDIRPLUS3res listing = {.status = NFS3_OK};
    listing.READDIRPLUS3res_u.resok.reply.entries = &first;
    listing.READDIRPLUS3res_u.resok.reply.eof = TRUE;

    return print("READ3res", (xdrproc_t)xdr_READ3res, &read) | print("stale", (xdrproc_t)xdr_READ3res, &stale)
            | print("WRITE3args", (xdrproc_t)xdr_WRITE3args, &write)
            | print("SETATTR3args", (xdrproc_t)xdr_SETATTR3args, &setattr)
            | print("CREATE3args", (xdrproc_t)xdr_CREATE3args, &create)
            | print("READDIRPLUS3res", (xdrproc_t)xdr_READDIRPLUS3res, &listing);
}
