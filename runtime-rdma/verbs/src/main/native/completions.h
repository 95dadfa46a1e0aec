// SPDX-License-Identifier: Apache-2.0
// Completion channels and completion queues.
#ifndef EMPLACE_COMPLETIONS_H
#define EMPLACE_COMPLETIONS_H

#include "handles.h"

// What Java reads of a completion.
struct completion {
    int64_t id;
    int32_t status;
    int32_t opcode;
    int32_t length;
    int32_t flags;
    int32_t invalidated_key;
    int32_t vendor_error;
    int32_t queue_pair;
    int32_t unused;
};

bool completions_create_channel(handle device, handle poller, handle *channel, struct failure *failure);
bool completions_destroy_channel(handle channel, struct failure *failure);

// Fills queues with the handles of those that asked and have completions, capacity at most.
bool completions_next_events(handle channel, handle *queues, int capacity, int *count, struct failure *failure);

bool completions_create_queue(handle device, handle channel, int entries, handle *queue, struct failure *failure);
bool completions_destroy_queue(handle queue, struct failure *failure);
bool completions_request_notification(handle queue, struct failure *failure);

// Writes as many struct completion as fit into the buffer.
bool completions_poll(handle queue, void *buffer, size_t length, int *count, struct failure *failure);

#endif
