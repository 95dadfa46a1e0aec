// SPDX-License-Identifier: Apache-2.0
// Names for native objects that outlive the objects: an index into a table with a generation, never an address. A handle of an
// object that is gone is refused for good, whatever has taken its place since.
#ifndef EMPLACE_HANDLES_H
#define EMPLACE_HANDLES_H

#include "failure.h"

#include <stddef.h>
#include <stdint.h>

typedef int64_t handle; // 0 is none

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

// Names an object. Its parents (0 stands for none) cannot be closed before it is removed; the caller has them in use.
bool handles_add(enum kind kind, void *object, const handle parents[HANDLE_PARENTS], handle *added, struct failure *failure);

// The object that a handle names, which then stays until handles_release; null if it names no open one of that kind.
void *handles_use(handle name, enum kind kind, struct failure *failure);

void handles_release(handle name);

// Ends the use of a handle: lets nobody use it any more, waits for those who do, and gives its object to the caller, who either
// frees it and calls handles_remove, or calls handles_reopen. Null if it names no open object of that kind, or if others depend
// on it: that is reported as EBUSY of the function.
void *handles_close(handle name, enum kind kind, const char *function, struct failure *failure);

void handles_reopen(handle name);

void handles_remove(handle name);

// After handles_close: removes the handle if a destroying function returned 0, else reopens it and reports that error.
bool handles_finish(handle name, const char *function, int result, struct failure *failure);

// Whether an object is another, or depends on it, directly or by others. It must not be removed meanwhile.
bool handles_depends(handle name, handle other);

// The handle of an object is kept in the field that libibverbs has for its user; whichever thread takes an event of it looks there.
static inline void handles_keep(void **context, handle name)
{
    __atomic_store_n(context, (void *)(intptr_t)name, __ATOMIC_RELEASE);
}

static inline handle handles_kept(void *const *context)
{
    return (handle)(intptr_t)__atomic_load_n(context, __ATOMIC_ACQUIRE);
}

#endif
