// SPDX-License-Identifier: Apache-2.0
// Two users of one device, simulated by the test: each gets its own events, whichever reads them. Needs no device.
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct ibv_context context;
static int events[2]; // a pipe of struct ibv_async_event
static int acknowledged;
static struct ibv_cq *last;

int ibv_get_async_event(struct ibv_context *from, struct ibv_async_event *event)
{
    return from == &context && read(events[0], event, sizeof *event) == (ssize_t)sizeof *event ? 0 : -1;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
    (void)event;
    acknowledged++;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *user, enum rdma_port_space space)
{
    (void)channel, (void)user, (void)space;
    *id = calloc(1, sizeof **id);
    return *id ? 0 : -1;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
    (void)address;
    id->verbs = &context;
    return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
    free(id);
    return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *on)
{
    struct ibv_comp_channel *channel = calloc(1, sizeof *channel);
    if (channel)
        *channel = (struct ibv_comp_channel){.context = on, .fd = dup(events[0])};
    return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
    close(channel->fd);
    free(channel);
    return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *on, int entries, void *user, struct ibv_comp_channel *channel, int vector)
{
    (void)entries, (void)vector;
    struct ibv_cq *queue = calloc(1, sizeof *queue);
    if (queue)
        *queue = (struct ibv_cq){.context = on, .channel = channel, .cq_context = user};
    last = queue;
    return queue;
}

int ibv_destroy_cq(struct ibv_cq *queue)
{
    free(queue);
    return 0;
}

// The linker redirects malloc to this (--wrap).
static bool short_of_memory;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return short_of_memory ? NULL : __real_malloc(size);
}

struct user {
    handle poller, device, channel, queue;
    struct ibv_cq *cq;
};

static struct ibv_wc completion;
static struct failure failure;
static int failures;

static void state(bool holds, const char *statement)
{
    printf("%s - %s\n", holds ? "ok" : "not ok", statement);
    failures += !holds;
}

static struct user begin(void)
{
    struct rdma_cm_id id = {.verbs = &context};
    struct user user = {0};
    bool done = poller_create(&user.poller, &failure) && devices_of_identifier(&id, user.poller, &user.device, &failure) &&
        completions_create_channel(user.device, user.poller, &user.channel, &failure) &&
        completions_create_queue(user.device, user.channel, 4, &completion, sizeof completion, NULL, &user.queue, &failure);
    if (!done) {
        printf("not ok - a user of the device is made: %s %d\n", failure.subject, failure.error);
        exit(1);
    }
    user.cq = last;
    return user;
}

static void happen(enum ibv_event_type type, struct ibv_cq *queue)
{
    struct ibv_async_event event = {.event_type = type};
    event.element.cq = queue;
    if (write(events[1], &event, sizeof event) < 0)
        exit(1);
}

static bool hears(struct user *user, int type, handle subject)
{
    int found;
    int64_t about;
    return devices_next_event(user->device, &found, &about, &failure) && found == type && about == subject;
}

static bool is_woken(struct user *user)
{
    handle ready[4];
    int count;
    bool woken = false;
    if (!poller_await(user->poller, 0, ready, 4, &count, &failure))
        return false;
    for (int i = 0; i < count; i++)
        woken |= ready[i] == user->device;
    return woken;
}

int main(void)
{
    if (pipe2(events, O_NONBLOCK | O_CLOEXEC))
        return 1;
    context.async_fd = dup(events[0]);
    struct user one = begin();
    struct user other = begin();
    state(one.device != other.device, "each user has a device handle of its own");
    happen(IBV_EVENT_CQ_ERR, other.cq);
    state(hears(&one, -1, 0), "who looks first is not told of another's queue");
    state(is_woken(&other) && !is_woken(&one), "the other is woken");
    state(hears(&other, IBV_EVENT_CQ_ERR, other.queue), "and is told");
    state(hears(&other, -1, 0) && !is_woken(&other), "once");
    happen(IBV_EVENT_DEVICE_FATAL, NULL);
    happen(IBV_EVENT_CQ_ERR, one.cq);
    happen(IBV_EVENT_CQ_ERR, other.cq);
    state(hears(&one, IBV_EVENT_DEVICE_FATAL, 0) && hears(&one, IBV_EVENT_CQ_ERR, one.queue) && hears(&one, -1, 0),
        "what befalls the device is told in its order");
    state(hears(&other, IBV_EVENT_DEVICE_FATAL, 0) && hears(&other, IBV_EVENT_CQ_ERR, other.queue) && hears(&other, -1, 0),
        "to all");
    happen(IBV_EVENT_CQ_ERR, one.cq);
    happen(IBV_EVENT_CQ_ERR, one.cq);
    short_of_memory = true;
    int heard = hears(&one, IBV_EVENT_CQ_ERR, one.queue);
    heard += hears(&one, IBV_EVENT_CQ_ERR, one.queue);
    short_of_memory = false;
    while (hears(&one, IBV_EVENT_CQ_ERR, one.queue))
        heard++;
    state(heard == 2, "no event is lost for want of memory");
    happen(IBV_EVENT_CQ_ERR, one.cq);
    hears(&other, -1, 0);
    state(acknowledged == 7, "every event is acknowledged when it is read");
    for (struct user *user = &one;; user = &other) {
        void *keeper;
        state(completions_destroy_queue(user->queue, &keeper, &failure) && completions_destroy_channel(user->channel, &failure) &&
                devices_close(user->device, false, &failure) && poller_destroy(user->poller, &failure),
            "a device is closed with its events");
        if (user == &other)
            break;
    }
    return failures > 0;
}
