// SPDX-License-Identifier: Apache-2.0
// Posting of work requests, many at a time.
#ifndef EMPLACE_WORK_H
#define EMPLACE_WORK_H

#include "handles.h"

// Opcodes and flags in the API for Java.
enum { WORK_SEND, WORK_SEND_WITH_INVALIDATE, WORK_WRITE, WORK_READ, WORK_BIND, WORK_LOCAL_INVALIDATE };
enum { WORK_SIGNALED = 1, WORK_INLINE = 2 };

// Java writes these requests, each followed by its elements.
struct send_request {
    int64_t id;
    int64_t remote_address;
    int64_t window;
    int64_t region;
    int32_t opcode;
    int32_t flags;
    int32_t key; // remote key, key to invalidate, or the window's new key
    int32_t elements;
    int32_t access;
    int32_t unused;
};

struct receive_request {
    int64_t id;
    int32_t elements;
    int32_t unused;
};

struct scatter_gather {
    int64_t address;
    int32_t length;
    int32_t local_key;
};

// Posts count requests from the buffer. Fewer are posted if the queue is full or a request is invalid. A call that begins with the invalid
// request fails; a full queue is not a failure.
bool work_post_send(
    handle queue_pair, const void *buffer, size_t length, int count, int *taken, struct failure *failure);
bool work_post_receive(
    handle queue_pair, const void *buffer, size_t length, int count, int *taken, struct failure *failure);
bool work_post_shared_receive(
    handle queue, const void *buffer, size_t length, int count, int *taken, struct failure *failure);

#endif
