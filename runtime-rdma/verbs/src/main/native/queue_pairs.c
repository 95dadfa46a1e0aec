// SPDX-License-Identifier: Apache-2.0
#include "connections.h"
#include "devices.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static_assert(sizeof(struct scatter_gather) == sizeof(struct ibv_sge), "elements are copied as they are");
static_assert(offsetof(struct scatter_gather, length) == offsetof(struct ibv_sge, length), "as above");
static_assert(offsetof(struct scatter_gather, local_key) == offsetof(struct ibv_sge, lkey), "as above");

// The rest of a buffer.
struct span {
    const char *start;
    size_t length;
};

static bool take(struct span *span, void *to, size_t size, struct failure *failure)
{
    if (span->length < size)
        return fail_argument(failure, "the buffer ends before the last request");
    memcpy(to, span->start, size);
    span->start += size;
    span->length -= size;
    return true;
}

enum { REQUESTS = 32, ELEMENTS = 128 };

// The scatter/gather elements of one call of post.
struct elements {
    struct ibv_sge all[ELEMENTS];
    int count;
};

static bool take_elements(struct span *span, int32_t count, struct elements *to, struct failure *failure)
{
    if (count < 0 || count > ELEMENTS - to->count)
        return fail_argument(failure, "a request has 0 to 128 scatter/gather elements");
    if (!take(span, &to->all[to->count], (size_t)count * sizeof(struct scatter_gather), failure))
        return false;
    to->count += count;
    return true;
}

static bool is_full(const struct failure *failure)
{
    return failure->kind == FAILURE_SYSTEM && failure->error == ENOMEM;
}

struct send_batch {
    struct ibv_send_wr requests[REQUESTS];
    struct bind {
        handle window;
        handle region;
    } binds[REQUESTS];
    struct elements elements;
    int count;
};

// Uses the handles of a bind's window and region until the bind is posted.
static bool use_bind(
    struct ibv_send_wr *to, const struct send_request *from, struct bind *bind, struct failure *failure)
{
    if (to->num_sge != 1)
        return fail_argument(failure, "a bind has one element, the range");
    int access;
    if (!memory_access(from->access, &access, failure))
        return false;
    struct ibv_mw *window = handles_use(from->window, KIND_WINDOW, failure);
    if (!window)
        return false;
    struct memory_region *region = handles_use(from->region, KIND_REGION, failure);
    if (!region) {
        handles_release(from->window);
        return false;
    }
    *bind = (struct bind){from->window, from->region};
    to->bind_mw.mw = window;
    to->bind_mw.rkey = (uint32_t)from->key;
    to->bind_mw.bind_info = (struct ibv_mw_bind_info){
        .mr = region->mr, .addr = to->sg_list->addr, .length = to->sg_list->length, .mw_access_flags = (unsigned)access};
    to->sg_list = NULL;
    to->num_sge = 0;
    return true;
}

static bool translate(
    struct ibv_send_wr *to, const struct send_request *from, struct bind *bind, struct failure *failure)
{
    to->wr_id = (uint64_t)from->id;
    to->send_flags = (from->flags & WORK_SIGNALED ? IBV_SEND_SIGNALED : 0u) | (from->flags & WORK_INLINE ? IBV_SEND_INLINE : 0u);
    switch (from->opcode) {
    case WORK_SEND:
        to->opcode = IBV_WR_SEND;
        return true;
    case WORK_SEND_WITH_INVALIDATE:
        to->opcode = IBV_WR_SEND_WITH_INV;
        to->invalidate_rkey = (uint32_t)from->key;
        return true;
    case WORK_WRITE:
    case WORK_READ:
        to->opcode = from->opcode == WORK_WRITE ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
        to->wr.rdma.remote_addr = (uint64_t)from->remote_address;
        to->wr.rdma.rkey = (uint32_t)from->key;
        return true;
    case WORK_BIND:
        to->opcode = IBV_WR_BIND_MW;
        return use_bind(to, from, bind, failure);
    case WORK_LOCAL_INVALIDATE:
        to->opcode = IBV_WR_LOCAL_INV;
        to->invalidate_rkey = (uint32_t)from->key;
        return true;
    default:
        return fail_argument(failure, "there is no such opcode");
    }
}

// Moves one request from the span to the batch. If it is invalid or does not fit, changes neither.
static bool read_send(struct span *span, struct send_batch *batch, struct failure *failure)
{
    struct span rest = *span;
    struct elements *elements = &batch->elements;
    const int elements_before = elements->count;
    struct ibv_send_wr *to = &batch->requests[batch->count];
    struct send_request from;
    if (!take(&rest, &from, sizeof from, failure) || !take_elements(&rest, from.elements, elements, failure))
        return false;
    *to = (struct ibv_send_wr){.sg_list = &elements->all[elements_before], .num_sge = from.elements};
    if (!translate(to, &from, &batch->binds[batch->count], failure)) {
        elements->count = elements_before;
        return false;
    }
    if (batch->count++)
        to[-1].next = to;
    *span = rest;
    return true;
}

// Posts a batch. Returns the number of requests posted, and the reason if that is not all.
static int post_sends(struct queue_pair *pair, struct send_batch *batch, struct failure *failure)
{
    struct ibv_send_wr *bad = NULL;
    int error = ibv_post_send(pair->qp, batch->requests, &bad);
    int taken = !error ? batch->count : bad ? (int)(bad - batch->requests) : 0;
    if (error)
        fail_system(failure, "ibv_post_send", error);
    for (int i = 0; i < batch->count; i++) {
        struct ibv_send_wr *request = &batch->requests[i];
        if (request->opcode != IBV_WR_BIND_MW)
            continue;
        // The window's next bind must name its current key.
        if (i < taken)
            request->bind_mw.mw->rkey = request->bind_mw.rkey;
        handles_release(batch->binds[i].window);
        handles_release(batch->binds[i].region);
    }
    return taken;
}

bool work_post_send(handle name, const void *buffer, size_t length, int count, int *taken, struct failure *failure)
{
    struct queue_pair *pair = handles_use(name, KIND_QUEUE_PAIR, failure);
    if (!pair)
        return false;
    struct span span = {buffer, length};
    struct send_batch batch;
    int posted = 0;
    *taken = 0;
    do {
        batch.count = 0;
        batch.elements.count = 0;
        while (batch.count < REQUESTS && *taken + batch.count < count && read_send(&span, &batch, failure))
            continue;
        posted = batch.count ? post_sends(pair, &batch, failure) : 0;
        *taken += posted;
    } while (posted == batch.count && batch.count && *taken < count);
    handles_release(name);
    return *taken || count <= 0 || is_full(failure);
}

struct receive_batch {
    struct ibv_recv_wr requests[REQUESTS];
    struct elements elements;
    int count;
};

static bool read_receive(struct span *span, struct receive_batch *batch, struct failure *failure)
{
    struct span rest = *span;
    struct elements *elements = &batch->elements;
    struct ibv_recv_wr *to = &batch->requests[batch->count];
    struct receive_request from;
    if (!take(&rest, &from, sizeof from, failure))
        return false;
    *to = (struct ibv_recv_wr){
        .wr_id = (uint64_t)from.id, .sg_list = &elements->all[elements->count], .num_sge = from.elements};
    if (!take_elements(&rest, from.elements, elements, failure))
        return false;
    if (batch->count++)
        to[-1].next = to;
    *span = rest;
    return true;
}

// Posts to a queue pair, or to a shared receive queue if that is null.
static int post_receives(
    struct queue_pair *pair, struct ibv_srq *shared, struct receive_batch *batch, struct failure *failure)
{
    struct ibv_recv_wr *bad = NULL;
    int error =
        pair ? ibv_post_recv(pair->qp, batch->requests, &bad) : ibv_post_srq_recv(shared, batch->requests, &bad);
    if (!error)
        return batch->count;
    fail_system(failure, pair ? "ibv_post_recv" : "ibv_post_srq_recv", error);
    return bad ? (int)(bad - batch->requests) : 0;
}

static bool post_all_receives(struct queue_pair *pair, struct ibv_srq *shared, struct span span, int count, int *taken,
    struct failure *failure)
{
    struct receive_batch batch;
    int posted = 0;
    *taken = 0;
    do {
        batch.count = 0;
        batch.elements.count = 0;
        while (batch.count < REQUESTS && *taken + batch.count < count && read_receive(&span, &batch, failure))
            continue;
        posted = batch.count ? post_receives(pair, shared, &batch, failure) : 0;
        *taken += posted;
    } while (posted == batch.count && batch.count && *taken < count);
    return *taken || count <= 0 || is_full(failure);
}

bool work_post_receive(handle name, const void *buffer, size_t length, int count, int *taken, struct failure *failure)
{
    struct queue_pair *pair = handles_use(name, KIND_QUEUE_PAIR, failure);
    if (!pair)
        return false;
    bool done = post_all_receives(pair, NULL, (struct span){buffer, length}, count, taken, failure);
    handles_release(name);
    return done;
}

bool work_post_shared_receive(
    handle name, const void *buffer, size_t length, int count, int *taken, struct failure *failure)
{
    struct shared_receive_queue *queue = handles_use(name, KIND_SHARED_RECEIVE_QUEUE, failure);
    if (!queue)
        return false;
    bool done = post_all_receives(NULL, queue->srq, (struct span){buffer, length}, count, taken, failure);
    handles_release(name);
    return done;
}
