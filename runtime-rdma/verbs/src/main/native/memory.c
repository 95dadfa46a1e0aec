// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <errno.h>
#include <stdlib.h>

bool memory_access(int rights, int *access, struct failure *failure)
{
    if (rights & ~(ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE | ACCESS_WINDOW_BIND))
        return fail_argument(failure, "there is no such right of access");
    *access = (rights & ACCESS_LOCAL_WRITE ? IBV_ACCESS_LOCAL_WRITE : 0) |
        (rights & ACCESS_REMOTE_READ ? IBV_ACCESS_REMOTE_READ : 0) |
        (rights & ACCESS_REMOTE_WRITE ? IBV_ACCESS_REMOTE_WRITE : 0) | (rights & ACCESS_WINDOW_BIND ? IBV_ACCESS_MW_BIND : 0);
    return true;
}

bool memory_allocate_domain(handle device_name, handle *created, struct failure *failure)
{
    struct device *device = handles_use(device_name, KIND_DEVICE, failure);
    if (!device)
        return false;
    const handle parents[HANDLE_PARENTS] = {device_name};
    struct ibv_pd *domain = ibv_alloc_pd(device->context);
    bool done = domain || fail_system(failure, "ibv_alloc_pd", errno);
    if (done && !handles_add(KIND_DOMAIN, domain, parents, created, failure)) {
        ibv_dealloc_pd(domain);
        done = false;
    }
    handles_release(device_name);
    return done;
}

bool memory_deallocate_domain(handle name, struct failure *failure)
{
    struct ibv_pd *domain = handles_close(name, KIND_DOMAIN, "ibv_dealloc_pd", failure);
    return domain && handles_finish(name, "ibv_dealloc_pd", ibv_dealloc_pd(domain), failure);
}

// The caller uses the domain.
static bool register_region(struct ibv_pd *domain, handle domain_name, void *address, size_t length, int access,
    struct memory_region *region, handle *created, struct failure *failure)
{
    // The parentheses call the function. The macro of the same name is for access rights that a device may ignore.
    region->mr = (ibv_reg_mr)(domain, address, length, access);
    if (!region->mr)
        return fail_system(failure, "ibv_reg_mr", errno);
    const handle parents[HANDLE_PARENTS] = {domain_name};
    if (handles_add(KIND_REGION, region, parents, created, failure))
        return true;
    ibv_dereg_mr(region->mr);
    return false;
}

bool memory_register(handle domain_name, void *address, size_t length, int rights, void *keeper, handle *created,
    uint32_t *local_key, uint32_t *remote_key, struct failure *failure)
{
    int access = 0;
    if (!memory_access(rights, &access, failure))
        return false;
    struct ibv_pd *domain = handles_use(domain_name, KIND_DOMAIN, failure);
    if (!domain)
        return false;
    struct memory_region *region = calloc(1, sizeof *region);
    bool done = region || fail_system(failure, "calloc", ENOMEM);
    if (done) {
        region->keeper = keeper;
        done = register_region(domain, domain_name, address, length, access, region, created, failure);
    }
    if (done) {
        *local_key = region->mr->lkey;
        *remote_key = region->mr->rkey;
    } else {
        free(region);
    }
    handles_release(domain_name);
    return done;
}

bool memory_deregister(handle name, void **keeper, struct failure *failure)
{
    struct memory_region *region = handles_close(name, KIND_REGION, "ibv_dereg_mr", failure);
    if (!region || !handles_finish(name, "ibv_dereg_mr", ibv_dereg_mr(region->mr), failure))
        return false;
    *keeper = region->keeper;
    free(region);
    return true;
}

bool memory_allocate_window(handle domain_name, handle *created, uint32_t *key, struct failure *failure)
{
    struct ibv_pd *domain = handles_use(domain_name, KIND_DOMAIN, failure);
    if (!domain)
        return false;
    const handle parents[HANDLE_PARENTS] = {domain_name};
    errno = 0;
    struct ibv_mw *window = ibv_alloc_mw(domain, IBV_MW_TYPE_2);
    bool done = window || fail_system(failure, "ibv_alloc_mw", errno ? errno : EOPNOTSUPP);
    if (done) {
        *key = window->rkey;
        if (!handles_add(KIND_WINDOW, window, parents, created, failure)) {
            ibv_dealloc_mw(window);
            done = false;
        }
    }
    handles_release(domain_name);
    return done;
}

bool memory_deallocate_window(handle name, struct failure *failure)
{
    struct ibv_mw *window = handles_close(name, KIND_WINDOW, "ibv_dealloc_mw", failure);
    return window && handles_finish(name, "ibv_dealloc_mw", ibv_dealloc_mw(window), failure);
}
