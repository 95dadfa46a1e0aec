// SPDX-License-Identifier: Apache-2.0
// Protection domains, memory regions and type 2 memory windows.
#ifndef EMPLACE_MEMORY_H
#define EMPLACE_MEMORY_H

#include "handles.h"

#include <infiniband/verbs.h>

// Access rights in the API for Java.
enum { ACCESS_LOCAL_WRITE = 1, ACCESS_REMOTE_READ = 2, ACCESS_REMOTE_WRITE = 4, ACCESS_WINDOW_BIND = 8 };

// Converts rights to those of verbs. Fails if a right is unknown.
bool memory_access(int rights, int *access, struct failure *failure);

bool memory_allocate_domain(handle device, handle *domain, struct failure *failure);
bool memory_deallocate_domain(handle domain, struct failure *failure);

struct memory_region {
    struct ibv_mr *mr;
    void *keeper;
};

// The memory must stay valid until it is deregistered. keeper is a reference that keeps it valid; memory_deregister returns it on success.
bool memory_register(handle domain, void *address, size_t length, int rights, void *keeper, handle *region,
    uint32_t *local_key, uint32_t *remote_key, struct failure *failure);
bool memory_deregister(handle region, void **keeper, struct failure *failure);

bool memory_allocate_window(handle domain, handle *window, uint32_t *key, struct failure *failure);
bool memory_deallocate_window(handle window, struct failure *failure);

#endif
