// SPDX-License-Identifier: Apache-2.0
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECONDS = 20, PORT = 20100 };

static atomic_int failures;

static void print_reason(const struct failure *failure)
{
    if (failure)
        printf("  # %s: %s\n", failure->subject, failure->kind == FAILURE_SYSTEM ? strerror(failure->error) : "refused");
}

bool state(bool holds, const char *statement, const struct failure *failure)
{
    printf("%s - %s\n", holds ? "ok" : "not ok", statement);
    if (!holds) {
        print_reason(failure);
        atomic_fetch_add(&failures, 1);
    }
    fflush(stdout);
    return holds;
}

void need(bool holds, const char *what, const struct failure *failure)
{
    if (!holds) {
        state(false, what, failure);
        exit(1);
    }
}

int lab_status(void)
{
    return atomic_load(&failures) ? 1 : 0;
}

void lab_open(struct lab *lab, const uint8_t address[4])
{
    *lab = (struct lab){.address = {.address = address, .length = 4, .port = PORT}};
    struct failure *failure = &lab->failure;
    need(poller_create(&lab->poller, failure), "a poller is created", failure);
    need(connections_create_channel(lab->poller, &lab->events, failure), "an event channel is created", failure);
    need(connections_create_id(lab->events, &lab->listener, failure), "an identifier is created", failure);
    need(connections_bind(lab->listener, &lab->address, failure), "it is bound", failure);
    need(connections_listen(lab->listener, 64, failure), "it listens", failure);
}

void lab_close(struct lab *lab)
{
    struct failure *failure = &lab->failure;
    need(connections_destroy_id(lab->listener, failure), "the listener is destroyed", failure);
    need(connections_destroy_channel(lab->events, failure), "the event channel is destroyed", failure);
    need(poller_destroy(lab->poller, failure), "the poller is destroyed", failure);
}

// Waits at most a second until something is ready. Takes the events of devices.
static void await_something(struct lab *lab)
{
    handle ready[8];
    int count;
    need(poller_await(lab->poller, 1000, ready, 8, &count, &lab->failure), "the poller waits", &lab->failure);
    for (int i = 0; i < count; i++) {
        struct failure other_kind;
        int type;
        int64_t subject;
        handle queues[8];
        int queue_count;
        if (devices_next_event(ready[i], &type, &subject, &other_kind))
            continue;
        if (!completions_next_events(ready[i], queues, 8, &queue_count, &other_kind))
            continue;
        for (int j = 0; j < queue_count; j++)
            completions_request_notification(queues[j], &other_kind);
    }
}

struct event lab_event(struct lab *lab, enum rdma_cm_event_type type)
{
    union {
        struct event event;
        char room[sizeof(struct event) + PRIVATE_DATA_SIZE];
    } next;
    bool taken = false;
    char text[80];
    snprintf(text, sizeof text, "%s comes", rdma_event_str(type));
    time_t end = time(NULL) + SECONDS;
    for (;;) {
        need(connections_next_event(lab->events, &next, sizeof next, &taken, &lab->failure), text, &lab->failure);
        if (taken)
            break;
        need(time(NULL) < end, text, NULL);
        await_something(lab);
    }
    if (next.event.type != (int)type)
        printf("  # %s, status %d\n", rdma_event_str((enum rdma_cm_event_type)next.event.type), next.event.status);
    need(next.event.type == (int)type, text, NULL);
    return next.event;
}

static void end_open(struct lab *lab, struct end *end, handle id, bool shared)
{
    struct failure *failure = &lab->failure;
    *end = (struct end){.id = id, .memory = calloc(1, MEMORY_SIZE)};
    need(end->memory, "there is memory", NULL);
    need(connections_device(id, lab->poller, &end->device, failure), "the device is known", failure);
    need(memory_allocate_domain(end->device, &end->domain, failure), "a domain is allocated", failure);
    need(completions_create_channel(end->device, lab->poller, &end->channel, failure), "a channel is created", failure);
    need(completions_create_queue(end->device, end->channel, COMPLETIONS, &end->completion, sizeof end->completion, end,
             &end->completions, failure),
        "a completion queue is created", failure);
    if (shared)
        need(queue_pairs_create_shared_receive_queue(
                 end->domain, end->completions, DEPTH, &end->shared_receives, failure),
            "a shared receive queue is created", failure);
    int32_t capacities[CAPACITIES] = {DEPTH, shared ? 0 : DEPTH, 1, shared ? 0 : 1, INLINE_SIZE};
    need(queue_pairs_create(
             id, end->domain, end->completions, end->completions, end->shared_receives, capacities, &end->queue_pair, failure),
        "a queue pair is created", failure);
    int rights = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_WRITE;
    struct failure no_windows;
    // Regions need the right to bind windows, which not every device supports.
    bool registered = memory_register(end->domain, end->memory, MEMORY_SIZE, rights | ACCESS_WINDOW_BIND, end->memory,
                          &end->region, &end->local_key, &end->remote_key, &no_windows) ||
        memory_register(end->domain, end->memory, MEMORY_SIZE, rights, end->memory, &end->region, &end->local_key,
            &end->remote_key, failure);
    need(registered, "memory is registered", failure);
    need(completions_request_notification(end->completions, failure), "a notification is requested", failure);
}

void end_destroy(struct lab *lab, struct end *end)
{
    struct failure *failure = &lab->failure;
    if (end->queue_pair)
        need(queue_pairs_destroy(end->queue_pair, failure), "the queue pair is destroyed", failure);
    void *keeper;
    need(memory_deregister(end->region, &keeper, failure), "the memory is deregistered", failure);
    if (end->shared_receives)
        need(queue_pairs_destroy_shared_receive_queue(end->shared_receives, failure),
            "the shared receive queue is destroyed", failure);
    void *owner;
    need(completions_destroy_queue(end->completions, &owner, failure), "the completion queue is destroyed", failure);
    need(owner == end, "the keeper of its memory is given back", NULL);
    need(completions_destroy_channel(end->channel, failure), "the completion channel is destroyed", failure);
    need(memory_deallocate_domain(end->domain, failure), "the domain is deallocated", failure);
    need(connections_destroy_id(end->id, failure), "the identifier is destroyed", failure);
    free(keeper);
}

void pair_connect(struct lab *lab, struct pair *pair, bool shared)
{
    struct failure *failure = &lab->failure;
    const struct connection_parameters parameters = {"hello", 5, 4, 4, 7, 7};
    handle id;
    need(connections_create_id(lab->events, &id, failure), "an identifier is created", failure);
    need(connections_resolve_address(id, &lab->address, 2000, failure), "the address is looked for", failure);
    lab_event(lab, RDMA_CM_EVENT_ADDR_RESOLVED);
    need(connections_resolve_route(id, 2000, failure), "the route is looked for", failure);
    lab_event(lab, RDMA_CM_EVENT_ROUTE_RESOLVED);
    end_open(lab, &pair->client, id, shared);
    need(connections_connect(id, &parameters, failure), "the client connects", failure);
    struct event request = lab_event(lab, RDMA_CM_EVENT_CONNECT_REQUEST);
    need(request.listener == lab->listener, "a request names its listener", NULL);
    end_open(lab, &pair->server, request.id, shared);
    need(connections_accept(request.id, &parameters, failure), "the server accepts", failure);
    lab_event(lab, RDMA_CM_EVENT_ESTABLISHED);
    lab_event(lab, RDMA_CM_EVENT_ESTABLISHED);
}

void pair_close(struct lab *lab, struct pair *pair)
{
    struct failure already;
    need(connections_disconnect(pair->client.id, &lab->failure), "the client disconnects", &lab->failure);
    lab_event(lab, RDMA_CM_EVENT_DISCONNECTED);
    // On InfiniBand and RoCE this answers the client's disconnection; on iWARP both ends may be disconnected already.
    connections_disconnect(pair->server.id, &already);
    lab_event(lab, RDMA_CM_EVENT_DISCONNECTED);
    end_destroy(lab, &pair->client);
    end_destroy(lab, &pair->server);
}

struct ibv_wc end_completion(struct lab *lab, struct end *end)
{
    int count = 0;
    time_t deadline = time(NULL) + SECONDS;
    for (;;) {
        bool unsuccessful;
        bool polled = completions_poll(end->completions, &count, &unsuccessful, &lab->failure);
        need(polled, "the completion queue is polled", &lab->failure);
        if (count) {
            end->completed++;
            return end->completion;
        }
        bool late = time(NULL) >= deadline;
        if (late)
            printf("  # %d completions came before\n", end->completed);
        need(!late, "a completion comes", NULL);
        await_something(lab);
    }
}

bool end_post(struct end *end, struct send_request request, size_t offset, size_t length, struct failure *failure)
{
    struct {
        struct send_request request;
        struct scatter_gather element;
    } post = {request, {(int64_t)(intptr_t)(end->memory + offset), (int32_t)length, (int32_t)end->local_key}};
    post.request.elements = length ? 1 : 0;
    int taken = 0;
    return work_post_send(end->queue_pair, &post, sizeof post, 1, &taken, failure) && taken == 1;
}

bool end_receive(struct end *end, size_t offset, size_t length, struct failure *failure)
{
    const struct {
        struct receive_request request;
        struct scatter_gather element;
    } post = {{(int64_t)offset, 1, 0}, {(int64_t)(intptr_t)(end->memory + offset), (int32_t)length, (int32_t)end->local_key}};
    int taken = 0;
    bool done = end->shared_receives
        ? work_post_shared_receive(end->shared_receives, &post, sizeof post, 1, &taken, failure)
        : work_post_receive(end->queue_pair, &post, sizeof post, 1, &taken, failure);
    return done && taken == 1;
}
