// SPDX-License-Identifier: Apache-2.0
// Completion channels and completion queues.
#ifndef EMPLACE_COMPLETIONS_H
#define EMPLACE_COMPLETIONS_H

#include "handles.h"

#include <infiniband/verbs.h>

bool completions_create_channel(handle device, handle poller, handle *channel, struct failure *failure);
bool completions_destroy_channel(handle channel, struct failure *failure);

// Fills queues with the handles of at most capacity completion queues that have an event.
bool completions_next_events(handle channel, handle *queues, int capacity, int *count, struct failure *failure);

struct completion_queue {
    struct ibv_cq *cq;
    struct ibv_wc *completions;
    int capacity;
    void *keeper;
};

// Completions are written to length bytes at address, which must stay valid until the queue is destroyed. For keeper see memory.h.
bool completions_create_queue(handle device, handle channel, int entries, void *address, size_t length, void *keeper,
    handle *queue, struct failure *failure);
bool completions_destroy_queue(handle queue, void **keeper, struct failure *failure);
bool completions_request_notification(handle queue, struct failure *failure);

// Writes as many completions as fit to the queue's memory, and sets *unsuccessful to whether one of them reports a failed request. Only one
// thread at a time may poll queues that share memory.
bool completions_poll(handle queue, int *count, bool *unsuccessful, struct failure *failure);

#endif
