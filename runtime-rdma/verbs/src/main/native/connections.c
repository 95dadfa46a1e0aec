// SPDX-License-Identifier: Apache-2.0
#include "connections.h"
#include "devices.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static bool endpoint_to_socket(const struct endpoint *endpoint, struct sockaddr_storage *address, struct failure *failure)
{
    if (endpoint->port < 0 || endpoint->port > UINT16_MAX)
        return fail_argument(failure, "the port is not one of 0 to 65535");
    *address = (struct sockaddr_storage){0};
    if (endpoint->length == 4) {
        struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)endpoint->port)};
        memcpy(&in.sin_addr, endpoint->address, 4);
        memcpy(address, &in, sizeof in);
    } else if (endpoint->length == ADDRESS_SIZE) {
        struct sockaddr_in6 in6 = {
            .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)endpoint->port), .sin6_scope_id = endpoint->scope};
        memcpy(&in6.sin6_addr, endpoint->address, ADDRESS_SIZE);
        memcpy(address, &in6, sizeof in6);
    } else {
        return fail_argument(failure, "an address has 4 or 16 bytes");
    }
    return true;
}

static void endpoint_of_socket(const struct sockaddr *from, uint8_t address[ADDRESS_SIZE], int *length, int *port)
{
    *length = 0;
    *port = 0;
    if (from->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, from, sizeof in);
        memcpy(address, &in.sin_addr, 4);
        *length = 4;
        *port = ntohs(in.sin_port);
    } else if (from->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, from, sizeof in6);
        memcpy(address, &in6.sin6_addr, ADDRESS_SIZE);
        *length = ADDRESS_SIZE;
        *port = ntohs(in6.sin6_port);
    }
}

struct event_channel {
    struct rdma_event_channel *channel;
    struct poller *poller;
    // While librdmacm reads an event, it may change the state of any of the channel's queue pairs. So this is held to read an event,
    // and to create or destroy a queue pair.
    pthread_mutex_t mutex;
};

void connections_lock(struct identifier *id)
{
    pthread_mutex_lock(&id->mutex);
    pthread_mutex_lock(&id->channel->mutex);
}

void connections_unlock(struct identifier *id)
{
    pthread_mutex_unlock(&id->channel->mutex);
    pthread_mutex_unlock(&id->mutex);
}

bool connections_create_channel(handle poller_name, handle *created, struct failure *failure)
{
    struct poller *poller = handles_use(poller_name, KIND_POLLER, failure);
    if (!poller)
        return false;
    handle name = 0;
    struct event_channel *channel = calloc(1, sizeof *channel);
    if (!channel) {
        fail_system(failure, "calloc", ENOMEM);
        goto done;
    }
    channel->poller = poller;
    pthread_mutex_init(&channel->mutex, NULL);
    errno = 0;
    channel->channel = rdma_create_event_channel();
    if (!channel->channel) {
        fail_system(failure, "rdma_create_event_channel", errno ? errno : ENODEV);
        goto done;
    }
    const handle parents[HANDLE_PARENTS] = {poller_name};
    if (!handles_add(KIND_EVENT_CHANNEL, channel, parents, &name, failure))
        goto done;
    if (!poller_watch(poller, channel->channel->fd, name, failure)) {
        handles_remove(name);
        name = 0;
    }
done:
    if (!name && channel) {
        if (channel->channel)
            rdma_destroy_event_channel(channel->channel);
        pthread_mutex_destroy(&channel->mutex);
        free(channel);
    }
    handles_release(poller_name);
    *created = name;
    return name != 0;
}

bool connections_destroy_channel(handle name, struct failure *failure)
{
    struct event_channel *channel = handles_close(name, KIND_EVENT_CHANNEL, "rdma_destroy_event_channel", failure);
    if (!channel)
        return false;
    poller_forget(channel->poller, channel->channel->fd);
    rdma_destroy_event_channel(channel->channel);
    pthread_mutex_destroy(&channel->mutex);
    free(channel);
    handles_remove(name);
    return true;
}

static struct identifier *identifier_of(struct rdma_cm_id *id, struct event_channel *channel)
{
    struct identifier *identifier = calloc(1, sizeof *identifier);
    if (identifier) {
        identifier->id = id;
        identifier->channel = channel;
        pthread_mutex_init(&identifier->mutex, NULL);
    }
    return identifier;
}

// Makes a handle for an identifier, and stores it as the identifier's context.
static bool name_id(
    struct rdma_cm_id *id, struct event_channel *channel, handle channel_name, handle *name, struct failure *failure)
{
    struct identifier *identifier = identifier_of(id, channel);
    if (!identifier)
        return fail_system(failure, "calloc", ENOMEM);
    const handle parents[HANDLE_PARENTS] = {channel_name};
    if (!handles_add(KIND_IDENTIFIER, identifier, parents, name, failure)) {
        pthread_mutex_destroy(&identifier->mutex);
        free(identifier);
        return false;
    }
    id->context = (void *)(intptr_t)*name;
    return true;
}

static handle name_of(const struct rdma_cm_id *id)
{
    return (handle)(intptr_t)id->context;
}

static void copy_event(const struct rdma_cm_event *from, handle id, handle listener, void *buffer)
{
    const struct rdma_conn_param *parameters = &from->param.conn;
    const struct event event = {
        .id = id,
        .listener = listener,
        .type = (int32_t)from->event,
        .status = from->status,
        .responder_resources = parameters->responder_resources,
        .initiator_depth = parameters->initiator_depth,
        .private_data_length = parameters->private_data ? parameters->private_data_len : 0,
    };
    memcpy(buffer, &event, sizeof event);
    if (event.private_data_length)
        memcpy((char *)buffer + sizeof event, parameters->private_data, (size_t)event.private_data_length);
}

// The caller holds the channel's mutex.
static bool take_event(
    struct event_channel *channel, handle channel_name, void *buffer, bool *taken, struct failure *failure)
{
    struct rdma_cm_event *event;
    while (rdma_get_cm_event(channel->channel, &event)) {
        if (errno == EAGAIN) {
            *taken = false;
            return true;
        }
        if (errno != EINTR)
            return fail_system(failure, "rdma_get_cm_event", errno);
    }
    struct rdma_cm_id *id = event->id;
    bool requested = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;
    handle name = 0;
    bool named = !requested || name_id(id, channel, channel_name, &name, failure);
    if (named)
        copy_event(event, requested ? name : name_of(id), requested ? name_of(event->listen_id) : 0, buffer);
    // At once, because destroying the identifier waits for the acknowledgment.
    rdma_ack_cm_event(event);
    if (!named)
        rdma_destroy_id(id);
    *taken = named;
    return named;
}

bool connections_next_event(handle name, void *buffer, size_t length, bool *taken, struct failure *failure)
{
    if (length < sizeof(struct event) + PRIVATE_DATA_SIZE)
        return fail_argument(failure, "the buffer is too small for an event with its private data");
    struct event_channel *channel = handles_use(name, KIND_EVENT_CHANNEL, failure);
    if (!channel)
        return false;
    pthread_mutex_lock(&channel->mutex);
    bool done = take_event(channel, name, buffer, taken, failure);
    pthread_mutex_unlock(&channel->mutex);
    handles_release(name);
    return done;
}

bool connections_create_id(handle channel_name, handle *created, struct failure *failure)
{
    struct event_channel *channel = handles_use(channel_name, KIND_EVENT_CHANNEL, failure);
    if (!channel)
        return false;
    struct rdma_cm_id *id;
    bool done = !rdma_create_id(channel->channel, &id, NULL, RDMA_PS_TCP) || fail_system(failure, "rdma_create_id", errno);
    if (done && !name_id(id, channel, channel_name, created, failure)) {
        rdma_destroy_id(id);
        done = false;
    }
    handles_release(channel_name);
    return done;
}

bool connections_destroy_id(handle name, struct failure *failure)
{
    struct identifier *identifier = handles_close(name, KIND_IDENTIFIER, "rdma_destroy_id", failure);
    if (!identifier)
        return false;
    // On failure the kernel does not know the identifier and another attempt would fail too, so the handle is removed in any case.
    int error = rdma_destroy_id(identifier->id) ? errno : 0;
    pthread_mutex_destroy(&identifier->mutex);
    free(identifier);
    handles_remove(name);
    return !error || fail_system(failure, "rdma_destroy_id", error);
}

// Ends the use of an identifier and reports the result of a call on it.
static bool finish(handle name, const char *function, int result, struct failure *failure)
{
    int error = result ? errno : 0;
    handles_release(name);
    return !error || fail_system(failure, function, error);
}

bool connections_bind(handle name, const struct endpoint *local, struct failure *failure)
{
    struct sockaddr_storage address;
    if (!endpoint_to_socket(local, &address, failure))
        return false;
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    return finish(name, "rdma_bind_addr", rdma_bind_addr(identifier->id, (struct sockaddr *)&address), failure);
}

bool connections_listen(handle name, int backlog, struct failure *failure)
{
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    return finish(name, "rdma_listen", rdma_listen(identifier->id, backlog), failure);
}

bool connections_resolve_address(handle name, const struct endpoint *peer, int timeout_millis, struct failure *failure)
{
    struct sockaddr_storage address;
    if (!endpoint_to_socket(peer, &address, failure))
        return false;
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    int result = rdma_resolve_addr(identifier->id, NULL, (struct sockaddr *)&address, timeout_millis);
    return finish(name, "rdma_resolve_addr", result, failure);
}

bool connections_resolve_route(handle name, int timeout_millis, struct failure *failure)
{
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    return finish(name, "rdma_resolve_route", rdma_resolve_route(identifier->id, timeout_millis), failure);
}

static bool fits(int value, int largest)
{
    return value >= 0 && value <= largest;
}

static bool conn_param(
    const struct connection_parameters *from, struct rdma_conn_param *to, struct failure *failure)
{
    if (from->private_data_length > UINT8_MAX)
        return fail_argument(failure, "private data have 255 bytes at most");
    if (!fits(from->responder_resources, UINT8_MAX) || !fits(from->initiator_depth, UINT8_MAX))
        return fail_argument(failure, "RDMA Reads at a time are 0 to 255");
    if (!fits(from->retries, 7) || !fits(from->rnr_retries, 7))
        return fail_argument(failure, "retries are 0 to 7");
    *to = (struct rdma_conn_param){
        .private_data = from->private_data,
        .private_data_len = (uint8_t)from->private_data_length,
        .responder_resources = (uint8_t)from->responder_resources,
        .initiator_depth = (uint8_t)from->initiator_depth,
        .retry_count = (uint8_t)from->retries,
        .rnr_retry_count = (uint8_t)from->rnr_retries,
    };
    return true;
}

// Calls function call with exclusive use of the identifier's queue pair.
static bool with_queue_pair(handle name, int (*call)(struct rdma_cm_id *, struct rdma_conn_param *), const char *function,
    struct rdma_conn_param *parameters, struct failure *failure)
{
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    pthread_mutex_lock(&identifier->mutex);
    int error = call(identifier->id, parameters) ? errno : 0;
    pthread_mutex_unlock(&identifier->mutex);
    handles_release(name);
    return !error || fail_system(failure, function, error);
}

bool connections_connect(handle name, const struct connection_parameters *parameters, struct failure *failure)
{
    struct rdma_conn_param param;
    return conn_param(parameters, &param, failure) && with_queue_pair(name, rdma_connect, "rdma_connect", &param, failure);
}

bool connections_accept(handle name, const struct connection_parameters *parameters, struct failure *failure)
{
    struct rdma_conn_param param;
    return conn_param(parameters, &param, failure) && with_queue_pair(name, rdma_accept, "rdma_accept", &param, failure);
}

bool connections_reject(handle name, const void *private_data, size_t length, struct failure *failure)
{
    if (length > UINT8_MAX)
        return fail_argument(failure, "private data have 255 bytes at most");
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    return finish(name, "rdma_reject", rdma_reject(identifier->id, private_data, (uint8_t)length), failure);
}

static int disconnect(struct rdma_cm_id *id, struct rdma_conn_param *unused)
{
    (void)unused;
    return rdma_disconnect(id);
}

bool connections_disconnect(handle name, struct failure *failure)
{
    return with_queue_pair(name, disconnect, "rdma_disconnect", NULL, failure);
}

bool connections_device(handle name, handle poller, handle *device, struct failure *failure)
{
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    *device = 0;
    bool done = !identifier->id->verbs || devices_of_identifier(identifier->id, poller, device, failure);
    handles_release(name);
    return done;
}

bool connections_address(
    handle name, bool peer, uint8_t address[ADDRESS_SIZE], int *length, int *port, struct failure *failure)
{
    struct identifier *identifier = handles_use(name, KIND_IDENTIFIER, failure);
    if (!identifier)
        return false;
    struct rdma_cm_id *id = identifier->id;
    endpoint_of_socket(peer ? rdma_get_peer_addr(id) : rdma_get_local_addr(id), address, length, port);
    handles_release(name);
    return true;
}
