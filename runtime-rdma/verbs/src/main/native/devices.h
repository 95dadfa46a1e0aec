// SPDX-License-Identifier: Apache-2.0
// Devices: their names, what they can do, their asynchronous events.
#ifndef EMPLACE_DEVICES_H
#define EMPLACE_DEVICES_H

#include "handles.h"

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

struct device {
    struct ibv_context *context;
    handle poller_name;
    struct poller *poller;
    struct rdma_cm_id *bound; // an identifier of our own: librdmacm keeps the context as long as it has one
    handle name;
    int arrivals; // an eventfd that is readable while events wait
    // What follows is guarded by the mutex.
    bool removed;
    struct device_event *first_event;
    struct device_event **last_event;
    struct device_event *spare; // for the next event: one that has been read must have its place
    struct device *next;
};

// In the order of the Java enum Libibverbs.Attribute.
enum { DEVICE_ATTRIBUTES = 13 };

// The names of the devices, to be freed with free(), in one piece.
bool devices_names(char ***names, int *count, struct failure *failure);

bool devices_query_by_name(const char *name, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_query(handle device, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_name(handle device, char name[IBV_SYSFS_NAME_MAX], struct failure *failure);

// The handle of the device that an identifier is bound to, the same for the same device and poller.
bool devices_of_identifier(const struct rdma_cm_id *id, handle poller, handle *device, struct failure *failure);

// Where it fails, the device stays open. Removed says that the kernel has begun to take the device away; then nothing of this process keeps it from that any more.
bool devices_close(handle device, bool removed, struct failure *failure);

// The next event of the device itself, of a port of it, or of what was made by this handle of the device; others of the process have their
// own. The type is -1 if there is none. The subject is the handle of the queue pair, completion queue or shared receive queue that the event
// is about; 0 if it is the device, or a port.
bool devices_next_event(handle device, int *type, int64_t *subject, struct failure *failure);

#endif
