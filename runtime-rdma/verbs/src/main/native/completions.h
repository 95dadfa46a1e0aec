// SPDX-License-Identifier: Apache-2.0
// Completion channels and completion queues.
#ifndef EMPLACE_COMPLETIONS_H
#define EMPLACE_COMPLETIONS_H

#include "handles.h"

#include <infiniband/verbs.h>

bool completions_create_channel(handle device, handle poller, handle *channel, struct failure *failure);
bool completions_destroy_channel(handle channel, struct failure *failure);

// Fills queues with the handles of those that asked and have completions, capacity at most.
bool completions_next_events(handle channel, handle *queues, int capacity, int *count, struct failure *failure);

struct completion_queue {
    struct ibv_cq *cq;
    struct ibv_wc *completions;
    int capacity;
    void *keeper;
};

// Completions are written to length bytes at an address, which have to stay until the queue is destroyed. The keeper is as in memory.h.
bool completions_create_queue(handle device, handle channel, int entries, void *address, size_t length, void *keeper,
    handle *queue, struct failure *failure);
bool completions_destroy_queue(handle queue, void **keeper, struct failure *failure);
bool completions_request_notification(handle queue, struct failure *failure);

// Has the device write completions to the queue's memory, as many as fit. For one thread at a time, else they overwrite one another.
bool completions_poll(handle queue, int *count, struct failure *failure);

#endif
