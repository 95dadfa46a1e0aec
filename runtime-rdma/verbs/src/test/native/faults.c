// SPDX-License-Identifier: Apache-2.0
// Replaces functions of libibverbs and librdmacm (LD_PRELOAD) to cause rare failures of devices and peers. The environment variable FAULT names a
// file with the fault: a function of this file, which then fails; ibv_create_cq, which then creates completion queues of FEW entries; or
// rdma_disconnect, which then ends connections without telling the peer.
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 3 };

static bool is_wanted(const char *function)
{
    const char *path = getenv("FAULT");
    FILE *file = path ? fopen(path, "re") : NULL;
    if (!file)
        return false;
    char wanted[64] = "";
    bool found = fgets(wanted, sizeof wanted, file) && !strcmp(wanted, function);
    fclose(file);
    return found;
}

// The libraries are loaded locally for the library that uses them, so RTLD_NEXT does not find them.
#define REAL_OF(library, function) ((__typeof__(&(function)))dlsym(dlopen(library, RTLD_LAZY | RTLD_NOLOAD), #function))
#define REAL(function) REAL_OF("libibverbs.so.1", function)

int ibv_dereg_mr(struct ibv_mr *region)
{
    return is_wanted(__func__) ? EBUSY : REAL(ibv_dereg_mr)(region);
}

int ibv_destroy_qp(struct ibv_qp *pair)
{
    return is_wanted(__func__) ? EBUSY : REAL(ibv_destroy_qp)(pair);
}

int ibv_destroy_srq(struct ibv_srq *queue)
{
    return is_wanted(__func__) ? EBUSY : REAL(ibv_destroy_srq)(queue);
}

struct ibv_cq *ibv_create_cq(
    struct ibv_context *context, int entries, void *cq_context, struct ibv_comp_channel *channel, int vector)
{
    int given = is_wanted(__func__) && entries > FEW ? FEW : entries;
    return REAL(ibv_create_cq)(context, given, cq_context, channel, vector);
}

int rdma_disconnect(struct rdma_cm_id *id)
{
    return is_wanted(__func__) ? 0 : REAL_OF("librdmacm.so.1", rdma_disconnect)(id);
}

// Destroying the identifier of a connection would tell the peer too.
int rdma_destroy_id(struct rdma_cm_id *id)
{
    return is_wanted("rdma_disconnect") ? 0 : REAL_OF("librdmacm.so.1", rdma_destroy_id)(id);
}
