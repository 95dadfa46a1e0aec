// SPDX-License-Identifier: Apache-2.0
// librdmacm: event channels and connection identifiers.
#ifndef EMPLACE_CONNECTIONS_H
#define EMPLACE_CONNECTIONS_H

#include "handles.h"

#include <pthread.h>
#include <rdma/rdma_cma.h>

enum { PRIVATE_DATA_SIZE = 256, ADDRESS_SIZE = 16 };

// An address as Java passes it.
struct endpoint {
    const void *address;
    size_t length; // 4 or 16
    uint32_t scope;
    int port;
};

struct event_channel;

struct identifier {
    struct rdma_cm_id *id;
    struct event_channel *channel;
    pthread_mutex_t mutex; // held to create, destroy or use the identifier's queue pair
};

// The fixed part of an event for Java; the private data follow it.
struct event {
    int64_t id;
    int64_t listener;
    int32_t type;
    int32_t status;
    int32_t responder_resources;
    int32_t initiator_depth;
    int32_t private_data_length;
};

struct connection_parameters {
    const void *private_data;
    size_t private_data_length;
    int responder_resources;
    int initiator_depth;
    int retries;
    int rnr_retries;
};

bool connections_create_channel(handle poller, handle *channel, struct failure *failure);
bool connections_destroy_channel(handle channel, struct failure *failure);

// Writes a struct event and its private data to the buffer, which must have room for the longest.
bool connections_next_event(handle channel, void *buffer, size_t length, bool *taken, struct failure *failure);

bool connections_create_id(handle channel, handle *id, struct failure *failure);
bool connections_destroy_id(handle id, struct failure *failure);
bool connections_bind(handle id, const struct endpoint *local, struct failure *failure);
bool connections_listen(handle id, int backlog, struct failure *failure);
bool connections_resolve_address(handle id, const struct endpoint *peer, int timeout_millis, struct failure *failure);
bool connections_resolve_route(handle id, int timeout_millis, struct failure *failure);
bool connections_connect(handle id, const struct connection_parameters *parameters, struct failure *failure);
bool connections_accept(handle id, const struct connection_parameters *parameters, struct failure *failure);
bool connections_reject(handle id, const void *private_data, size_t length, struct failure *failure);
bool connections_disconnect(handle id, struct failure *failure);

// 0 if the identifier is not bound to a device.
bool connections_device(handle id, handle poller, handle *device, struct failure *failure);

// Sets length to 0 if there is no IPv4 or IPv6 address.
bool connections_address(handle id, bool peer, uint8_t address[ADDRESS_SIZE], int *length, int *port, struct failure *failure);

// While locked, no event is read from the channel and no call uses the identifier's queue pair.
void connections_lock(struct identifier *id);
void connections_unlock(struct identifier *id);

#endif
