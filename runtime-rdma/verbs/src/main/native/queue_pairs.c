// SPDX-License-Identifier: Apache-2.0
#include "queue_pairs.h"
#include "completions.h"
#include "connections.h"

#include <errno.h>
#include <stdlib.h>

bool queue_pairs_create_shared_receive_queue(
    handle domain_name, handle completion_queue, int requests, handle *created, struct failure *failure)
{
    if (requests <= 0)
        return fail_argument(failure, "a shared receive queue has room for one request at least");
    struct shared_receive_queue *queue = NULL;
    bool done = false;
    struct ibv_pd *domain = handles_use(domain_name, KIND_DOMAIN, failure);
    if (!domain)
        return false;
    struct completion_queue *completions = handles_use(completion_queue, KIND_COMPLETION_QUEUE, failure);
    if (!completions)
        goto release_domain;
    queue = calloc(1, sizeof *queue);
    if (!queue) {
        fail_system(failure, "calloc", ENOMEM);
        goto release_completions;
    }
    struct ibv_srq_init_attr attributes = {.attr = {.max_wr = (uint32_t)requests, .max_sge = 1}};
    *queue = (struct shared_receive_queue){ibv_create_srq(domain, &attributes), completions->cq};
    if (!queue->srq) {
        fail_system(failure, "ibv_create_srq", errno);
        goto undo;
    }
    const handle parents[HANDLE_PARENTS] = {domain_name, completion_queue};
    done = handles_add(KIND_SHARED_RECEIVE_QUEUE, queue, parents, created, failure);
    if (done)
        handles_keep(&queue->srq->srq_context, *created);
undo:
    if (!done) {
        if (queue->srq)
            ibv_destroy_srq(queue->srq);
        free(queue);
    }
release_completions:
    handles_release(completion_queue);
release_domain:
    handles_release(domain_name);
    return done;
}

bool queue_pairs_destroy_shared_receive_queue(handle name, struct failure *failure)
{
    struct shared_receive_queue *queue = handles_close(name, KIND_SHARED_RECEIVE_QUEUE, "ibv_destroy_srq", failure);
    if (!queue || !handles_finish(name, "ibv_destroy_srq", ibv_destroy_srq(queue->srq), failure))
        return false;
    free(queue);
    return true;
}

static void read_capacities(const int32_t from[CAPACITIES], struct ibv_qp_cap *to)
{
    *to = (struct ibv_qp_cap){
        .max_send_wr = (uint32_t)from[CAPACITY_SENDS],
        .max_recv_wr = (uint32_t)from[CAPACITY_RECEIVES],
        .max_send_sge = (uint32_t)from[CAPACITY_GATHER],
        .max_recv_sge = (uint32_t)from[CAPACITY_SCATTER],
        .max_inline_data = (uint32_t)from[CAPACITY_INLINE],
    };
}

static void write_capacities(const struct ibv_qp_cap *from, int32_t to[CAPACITIES])
{
    to[CAPACITY_SENDS] = (int32_t)from->max_send_wr;
    to[CAPACITY_RECEIVES] = (int32_t)from->max_recv_wr;
    to[CAPACITY_GATHER] = (int32_t)from->max_send_sge;
    to[CAPACITY_SCATTER] = (int32_t)from->max_recv_sge;
    to[CAPACITY_INLINE] = (int32_t)from->max_inline_data;
}

// The caller uses all of the objects.
static bool create(struct identifier *id, struct ibv_pd *domain, struct ibv_qp_init_attr *attributes,
    const handle parents[HANDLE_PARENTS], handle *created, struct failure *failure)
{
    struct queue_pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return fail_system(failure, "calloc", ENOMEM);
    connections_lock(id);
    bool done = false;
    if (id->id->qp) {
        fail_argument(failure, "the connection identifier has a queue pair");
    } else if (id->id->verbs != domain->context) {
        fail_argument(failure, "the protection domain is not of the connection identifier's device");
    } else if (rdma_create_qp(id->id, domain, attributes)) {
        fail_system(failure, "rdma_create_qp", errno);
    } else {
        *pair = (struct queue_pair){id->id->qp, id};
        done = handles_add(KIND_QUEUE_PAIR, pair, parents, created, failure);
        if (done)
            handles_keep(&pair->qp->qp_context, *created);
        else
            rdma_destroy_qp(id->id);
    }
    connections_unlock(id);
    if (!done)
        free(pair);
    return done;
}

bool queue_pairs_create(handle id_name, handle domain_name, handle send_completions, handle receive_completions,
    handle shared_receive_queue, int32_t capacities[CAPACITIES], handle *created, struct failure *failure)
{
    for (int i = 0; i < CAPACITIES; i++)
        if (capacities[i] < 0)
            return fail_argument(failure, "a capacity is negative");
    bool done = false;
    struct identifier *id = handles_use(id_name, KIND_IDENTIFIER, failure);
    if (!id)
        return false;
    struct ibv_pd *domain = handles_use(domain_name, KIND_DOMAIN, failure);
    if (!domain)
        goto release_id;
    struct ibv_qp_init_attr attributes = {.qp_type = IBV_QPT_RC};
    struct completion_queue *completions = handles_use(send_completions, KIND_COMPLETION_QUEUE, failure);
    if (!completions)
        goto release_domain;
    attributes.send_cq = completions->cq;
    handle receives = shared_receive_queue ? shared_receive_queue : receive_completions;
    if (shared_receive_queue) {
        struct shared_receive_queue *shared = handles_use(receives, KIND_SHARED_RECEIVE_QUEUE, failure);
        if (!shared)
            goto release_send_completions;
        attributes.recv_cq = shared->completions;
        attributes.srq = shared->srq;
    } else {
        completions = handles_use(receives, KIND_COMPLETION_QUEUE, failure);
        if (!completions)
            goto release_send_completions;
        attributes.recv_cq = completions->cq;
    }
    read_capacities(capacities, &attributes.cap);
    const handle parents[HANDLE_PARENTS] = {id_name, domain_name, send_completions, receives};
    done = create(id, domain, &attributes, parents, created, failure);
    if (done)
        write_capacities(&attributes.cap, capacities);
    handles_release(receives);
release_send_completions:
    handles_release(send_completions);
release_domain:
    handles_release(domain_name);
release_id:
    handles_release(id_name);
    return done;
}

bool queue_pairs_destroy(handle name, struct failure *failure)
{
    struct queue_pair *pair = handles_close(name, KIND_QUEUE_PAIR, "ibv_destroy_qp", failure);
    if (!pair)
        return false;
    // rdma_destroy_qp does not report whether it succeeded.
    connections_lock(pair->id);
    int error = ibv_destroy_qp(pair->qp);
    if (!error)
        pair->id->id->qp = NULL;
    connections_unlock(pair->id);
    if (!handles_finish(name, "ibv_destroy_qp", error, failure))
        return false;
    free(pair);
    return true;
}

bool queue_pairs_number(handle name, uint32_t *number, struct failure *failure)
{
    struct queue_pair *pair = handles_use(name, KIND_QUEUE_PAIR, failure);
    if (!pair)
        return false;
    *number = pair->qp->qp_num;
    handles_release(name);
    return true;
}
