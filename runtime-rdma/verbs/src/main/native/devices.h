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

#endif
