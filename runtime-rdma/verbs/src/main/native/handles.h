// SPDX-License-Identifier: Apache-2.0
// Handles: names of native objects, made of an index into a table and a generation, never an address. The handle of a destroyed object
// stays invalid, even if its slot is used again.
#ifndef EMPLACE_HANDLES_H
#define EMPLACE_HANDLES_H

#include "failure.h"

#include <stddef.h>
#include <stdint.h>

typedef int64_t handle; // 0 is no handle

enum kind {
    KIND_NONE,
    KIND_POLLER,
    KIND_EVENT_CHANNEL,
    KIND_IDENTIFIER,
    KIND_DEVICE,
    KIND_DOMAIN,
    KIND_COMPLETION_CHANNEL,
    KIND_COMPLETION_QUEUE,
    KIND_SHARED_RECEIVE_QUEUE,
    KIND_QUEUE_PAIR,
    KIND_REGION,
    KIND_WINDOW,
};

enum { HANDLE_PARENTS = 4 };

// Makes a handle for an object. Its parents (0 for none), which the caller uses, cannot be closed before this handle is removed.
bool handles_add(enum kind kind, void *object, const handle parents[HANDLE_PARENTS], handle *added, struct failure *failure);

// The object of a handle, which cannot be destroyed until handles_release; null if the handle names no open object of this kind.
void *handles_use(handle name, enum kind kind, struct failure *failure);

void handles_release(handle name);

// Closes a handle to new users, waits for current users, and returns its object. The caller then destroys the object and calls
// handles_remove, or calls handles_reopen. Returns null if the handle names no open object of this kind, or if other objects depend on
// it: that failure is EBUSY of the named function.
void *handles_close(handle name, enum kind kind, const char *function, struct failure *failure);

void handles_reopen(handle name);

void handles_remove(handle name);

// After handles_close: removes the handle if the destroying function returned 0; else reopens it and reports the error.
bool handles_finish(handle name, const char *function, int result, struct failure *failure);

// Whether name is other or depends on it, directly or indirectly. name must not be removed during the call.
bool handles_depends(handle name, handle other);

// Stores an object's handle in its libibverbs context field, where the thread that takes its events finds it.
static inline void handles_keep(void **context, handle name)
{
    __atomic_store_n(context, (void *)(intptr_t)name, __ATOMIC_RELEASE);
}

static inline handle handles_kept(void *const *context)
{
    return (handle)(intptr_t)__atomic_load_n(context, __ATOMIC_ACQUIRE);
}

#endif
