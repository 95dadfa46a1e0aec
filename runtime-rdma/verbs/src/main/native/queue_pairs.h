// SPDX-License-Identifier: Apache-2.0
// Queue pairs and shared receive queues.
#ifndef EMPLACE_QUEUE_PAIRS_H
#define EMPLACE_QUEUE_PAIRS_H

#include "handles.h"

#include <infiniband/verbs.h>

struct identifier;

struct queue_pair {
    struct ibv_qp *qp;
    struct identifier *id;
};

struct shared_receive_queue {
    struct ibv_srq *srq;
    struct ibv_cq *completions;
};

// The order in which Java passes capacities.
enum { CAPACITY_SENDS, CAPACITY_RECEIVES, CAPACITY_GATHER, CAPACITY_SCATTER, CAPACITY_INLINE, CAPACITIES };

// The completions of its Receives go to the completion queue, whichever queue pair took them.
bool queue_pairs_create_shared_receive_queue(
    handle domain, handle completion_queue, int requests, handle *queue, struct failure *failure);
bool queue_pairs_destroy_shared_receive_queue(handle queue, struct failure *failure);

// shared_receive_queue may be 0 for none; else its completion queue gets the Receives' completions. Replaces capacities by the actual values.
bool queue_pairs_create(handle id, handle domain, handle send_completions, handle receive_completions,
    handle shared_receive_queue, int32_t capacities[CAPACITIES], handle *created, struct failure *failure);
bool queue_pairs_destroy(handle queue_pair, struct failure *failure);
bool queue_pairs_number(handle queue_pair, uint32_t *number, struct failure *failure);

#endif
