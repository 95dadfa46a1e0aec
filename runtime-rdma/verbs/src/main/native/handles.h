// SPDX-License-Identifier: Apache-2.0
// What every other file uses: failures, handles and the poller.
#ifndef EMPLACE_HANDLES_H
#define EMPLACE_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why a function failed. Functions with a failure parameter return false (or null) on failure, and fill it.

enum failure_kind {
    FAILURE_SYSTEM,   // a system or library call failed; subject is its name
    FAILURE_HANDLE,   // a handle names no open object; subject is the expected kind of object
    FAILURE_ARGUMENT, // an argument is invalid; subject is a sentence
};

struct failure {
    enum failure_kind kind;
    const char *subject; // a literal
    int error;           // the error number of FAILURE_SYSTEM
};

// All fill failure and return false.

static inline bool fail_system(struct failure *failure, const char *function, int error)
{
    // Some verbs providers return negative error numbers.
    *failure = (struct failure){FAILURE_SYSTEM, function, error < 0 ? -error : error};
    return false;
}

static inline bool fail_handle(struct failure *failure, const char *kind)
{
    *failure = (struct failure){FAILURE_HANDLE, kind, 0};
    return false;
}

static inline bool fail_argument(struct failure *failure, const char *sentence)
{
    *failure = (struct failure){FAILURE_ARGUMENT, sentence, 0};
    return false;
}

// Handles: names of native objects, made of an index into a table and a generation, never an address. The handle of a destroyed object
// stays invalid, even if its slot is used again.

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

// A poller waits for many descriptors: an epoll set with an eventfd for wake-ups.

struct poller;

bool poller_create(handle *created, struct failure *failure);
bool poller_destroy(handle poller, struct failure *failure);
bool poller_wake(handle poller, struct failure *failure);

// Fills ready with the handles of at most capacity readable descriptors. A signal may end the wait early.
bool poller_await(handle poller, int timeout_millis, handle *ready, int capacity, int *count, struct failure *failure);

// Makes a descriptor non-blocking and watches it. poller_await reports it as the given handle.
bool poller_watch(struct poller *poller, int descriptor, handle name, struct failure *failure);
void poller_forget(struct poller *poller, int descriptor);

#endif
