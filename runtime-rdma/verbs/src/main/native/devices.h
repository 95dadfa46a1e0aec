// SPDX-License-Identifier: Apache-2.0
// libibverbs: devices and the objects on them. Each section has a source file.
#ifndef EMPLACE_DEVICES_H
#define EMPLACE_DEVICES_H

#include "handles.h"

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

// devices.c: names, attributes and asynchronous events of devices

struct device {
    struct ibv_context *context;
    handle poller_name;
    struct poller *poller;
    struct rdma_cm_id *bound; // our own identifier: librdmacm keeps the context while one is bound to the device
    handle name;
    int arrivals; // an eventfd, readable while there are events
    // The mutex guards the fields below.
    bool removed;
    struct device_event *first_event;
    struct device_event **last_event;
    struct device_event *spare; // room for the next event, allocated before it is read
    struct device *next;
};

// In the order of the Java enum Libibverbs.Attribute.
enum { DEVICE_ATTRIBUTES = 13 };

// The names of the devices, in one allocation, to be freed with free().
bool devices_names(char ***names, int *count, struct failure *failure);

bool devices_query_by_name(const char *name, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_query(handle device, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_name(handle device, char name[IBV_SYSFS_NAME_MAX], struct failure *failure);

// The handle of the device that an identifier is bound to; the same handle for the same device and poller.
bool devices_of_identifier(const struct rdma_cm_id *id, handle poller, handle *device, struct failure *failure);

// On failure the device stays open. removed says that the kernel is removing the device; this process then no longer delays that, even on failure.
bool devices_close(handle device, bool removed, struct failure *failure);

// The next event of the device, of a port, or of an object created with this handle of the device. Other handles get their own events. Sets
// type to -1 if there is no event, and subject to the handle of the queue pair, completion queue or shared receive queue concerned, or to 0 if
// the event concerns the device or a port.
bool devices_next_event(handle device, int *type, int64_t *subject, struct failure *failure);

// memory.c: protection domains, memory regions and type 2 memory windows

// Access rights in the API for Java.
enum { ACCESS_LOCAL_WRITE = 1, ACCESS_REMOTE_READ = 2, ACCESS_REMOTE_WRITE = 4, ACCESS_WINDOW_BIND = 8 };

// Converts rights to those of verbs. Fails if a right is unknown.
bool memory_access(int rights, int *access, struct failure *failure);

bool memory_allocate_domain(handle device, handle *domain, struct failure *failure);
bool memory_deallocate_domain(handle domain, struct failure *failure);

struct memory_region {
    struct ibv_mr *mr;
    void *keeper;
};

// The memory must stay valid until it is deregistered. keeper is a reference that keeps it valid; memory_deregister returns it on success.
bool memory_register(handle domain, void *address, size_t length, int rights, void *keeper, handle *region,
    uint32_t *local_key, uint32_t *remote_key, struct failure *failure);
bool memory_deregister(handle region, void **keeper, struct failure *failure);

bool memory_allocate_window(handle domain, handle *window, uint32_t *key, struct failure *failure);
bool memory_deallocate_window(handle window, struct failure *failure);

// completions.c: completion channels and completion queues

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

// Completions are written to length bytes at address, which must stay valid until the queue is destroyed. For keeper see memory_register.
bool completions_create_queue(handle device, handle channel, int entries, void *address, size_t length, void *keeper,
    handle *queue, struct failure *failure);
bool completions_destroy_queue(handle queue, void **keeper, struct failure *failure);
bool completions_request_notification(handle queue, struct failure *failure);

// Writes as many completions as fit to the queue's memory, and sets *unsuccessful to whether one of them reports a failed request. Only one
// thread at a time may poll queues that share memory.
bool completions_poll(handle queue, int *count, bool *unsuccessful, struct failure *failure);

// queue_pairs.c: queue pairs, shared receive queues and their work requests

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
