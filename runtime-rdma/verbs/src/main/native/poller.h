// SPDX-License-Identifier: Apache-2.0
// Waits for many descriptors: an epoll set with an eventfd for wake-ups.
#ifndef EMPLACE_POLLER_H
#define EMPLACE_POLLER_H

#include "handles.h"

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
