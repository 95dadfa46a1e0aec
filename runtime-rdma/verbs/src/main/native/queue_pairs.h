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

// In this order as Java gives them.
enum { CAPACITY_SENDS, CAPACITY_RECEIVES, CAPACITY_GATHER, CAPACITY_SCATTER, CAPACITY_INLINE, CAPACITIES };

// What comes in by it completes to the completion queue, whichever queue pair took it.
bool queue_pairs_create_shared_receive_queue(
    handle domain, handle completion_queue, int requests, handle *queue, struct failure *failure);
bool queue_pairs_destroy_shared_receive_queue(handle queue, struct failure *failure);

// A shared receive queue of 0 is none; else what comes in completes to that one's. The capacities are replaced by what there is.
bool queue_pairs_create(handle id, handle domain, handle send_completions, handle receive_completions,
    handle shared_receive_queue, int32_t capacities[CAPACITIES], handle *created, struct failure *failure);
bool queue_pairs_destroy(handle queue_pair, struct failure *failure);
bool queue_pairs_number(handle queue_pair, uint32_t *number, struct failure *failure);

#endif
