// SPDX-License-Identifier: Apache-2.0
// Devices: their names, what they can do, their asynchronous events.
#ifndef EMPLACE_DEVICES_H
#define EMPLACE_DEVICES_H

#include "handles.h"

#include <infiniband/verbs.h>

struct device {
    struct ibv_context *context;
    handle poller_name;
    struct poller *poller;
    struct ibv_context **opened; // what keeps the context open; librdmacm owns it
    handle name;
    struct device *next;
};

// In the order of the Java enum DeviceAttribute.
enum { DEVICE_ATTRIBUTES = 16 };

// The names of the devices, to be freed with free(), in one piece.
bool devices_names(char ***names, int *count, struct failure *failure);

bool devices_query_by_name(const char *name, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_query(handle device, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure);
bool devices_name(handle device, char name[IBV_SYSFS_NAME_MAX], struct failure *failure);

// The handle of a context of librdmacm's, the same for the same context and poller.
bool devices_of_context(struct ibv_context *context, handle poller, handle *device, struct failure *failure);
bool devices_close(handle device, struct failure *failure);

// -1 if there is no event.
bool devices_next_event(handle device, int *type, uint32_t *queue_pair, struct failure *failure);

#endif
