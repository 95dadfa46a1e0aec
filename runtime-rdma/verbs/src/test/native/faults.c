// SPDX-License-Identifier: Apache-2.0
// Stands before libibverbs (LD_PRELOAD), so that devices fail as they hardly ever do. The file that the environment variable FAULT names
// says how: the name of a function here, which is refused then, or ibv_create_cq, which makes completion queues of FEW entries then.
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
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

// libibverbs has been loaded for the library that uses it alone, so it does not come next.
#define REAL(function) ((__typeof__(&(function)))dlsym(dlopen("libibverbs.so.1", RTLD_LAZY | RTLD_NOLOAD), #function))

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
