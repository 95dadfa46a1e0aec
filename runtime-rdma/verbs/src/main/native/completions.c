// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>

struct completion_channel {
    struct ibv_comp_channel *channel;
    struct poller *poller;
};

static bool name_channel(struct completion_channel *channel, const handle parents[HANDLE_PARENTS], handle *created,
    struct failure *failure)
{
    if (!handles_add(KIND_COMPLETION_CHANNEL, channel, parents, created, failure))
        return false;
    if (poller_watch(channel->poller, channel->channel->fd, *created, failure))
        return true;
    handles_remove(*created);
    return false;
}

bool completions_create_channel(handle device_name, handle poller_name, handle *created, struct failure *failure)
{
    struct completion_channel *channel = NULL;
    bool done = false;
    struct device *device = handles_use(device_name, KIND_DEVICE, failure);
    if (!device)
        return false;
    struct poller *poller = handles_use(poller_name, KIND_POLLER, failure);
    if (!poller)
        goto release_device;
    channel = calloc(1, sizeof *channel);
    if (!channel) {
        fail_system(failure, "calloc", ENOMEM);
        goto release_poller;
    }
    channel->poller = poller;
    channel->channel = ibv_create_comp_channel(device->context);
    if (!channel->channel) {
        fail_system(failure, "ibv_create_comp_channel", errno);
        goto undo;
    }
    const handle parents[HANDLE_PARENTS] = {device_name, poller_name};
    done = name_channel(channel, parents, created, failure);
undo:
    if (!done) {
        if (channel->channel)
            ibv_destroy_comp_channel(channel->channel);
        free(channel);
    }
release_poller:
    handles_release(poller_name);
release_device:
    handles_release(device_name);
    return done;
}

bool completions_destroy_channel(handle name, struct failure *failure)
{
    struct completion_channel *channel =
        handles_close(name, KIND_COMPLETION_CHANNEL, "ibv_destroy_comp_channel", failure);
    if (!channel)
        return false;
    poller_forget(channel->poller, channel->channel->fd);
    if (!handles_finish(name, "ibv_destroy_comp_channel", ibv_destroy_comp_channel(channel->channel), failure))
        return false;
    free(channel);
    return true;
}

bool completions_next_events(handle name, handle *queues, int capacity, int *count, struct failure *failure)
{
    struct completion_channel *channel = handles_use(name, KIND_COMPLETION_CHANNEL, failure);
    if (!channel)
        return false;
    *count = 0;
    int error = 0;
    while (!error && *count < capacity) {
        struct ibv_cq *queue;
        void *context;
        errno = 0;
        if (ibv_get_cq_event(channel->channel, &queue, &context)) {
            error = errno == EINTR ? 0 : errno ? errno : EIO;
            continue;
        }
        queues[(*count)++] = handles_kept(&queue->cq_context);
        // At once, because destroying the queue waits for the acknowledgment.
        ibv_ack_cq_events(queue, 1);
    }
    // The kernel has removed the device. Its descriptor would end every later wait.
    if (error && error != EAGAIN)
        poller_forget(channel->poller, channel->channel->fd);
    handles_release(name);
    // Report the queues taken so far; the next call returns the error.
    return !error || error == EAGAIN || *count || fail_system(failure, "ibv_get_cq_event", error);
}

// The caller uses the device and the channel.
static bool create_queue(struct device *device, struct completion_channel *channel, int entries,
    const handle parents[HANDLE_PARENTS], struct completion_queue *queue, handle *created, struct failure *failure)
{
    queue->cq = ibv_create_cq(device->context, entries, NULL, channel->channel, 0);
    if (!queue->cq)
        return fail_system(failure, "ibv_create_cq", errno);
    if (!handles_add(KIND_COMPLETION_QUEUE, queue, parents, created, failure)) {
        ibv_destroy_cq(queue->cq);
        return false;
    }
    handles_keep(&queue->cq->cq_context, *created);
    return true;
}

bool completions_create_queue(handle device_name, handle channel_name, int entries, void *address, size_t length,
    void *keeper, handle *created, struct failure *failure)
{
    if (length < sizeof(struct ibv_wc) || (uintptr_t)address % alignof(struct ibv_wc))
        return fail_argument(failure, "the buffer is too small for a completion, or not aligned");
    bool done = false;
    struct device *device = handles_use(device_name, KIND_DEVICE, failure);
    if (!device)
        return false;
    struct completion_channel *channel = handles_use(channel_name, KIND_COMPLETION_CHANNEL, failure);
    if (!channel)
        goto release_device;
    if (channel->channel->context != device->context) {
        fail_argument(failure, "the completion channel is of another device");
        goto release_channel;
    }
    struct completion_queue *queue = calloc(1, sizeof *queue);
    if (!queue) {
        fail_system(failure, "calloc", ENOMEM);
        goto release_channel;
    }
    *queue = (struct completion_queue){NULL, address, (int)(length / sizeof(struct ibv_wc)), keeper};
    const handle parents[HANDLE_PARENTS] = {device_name, channel_name};
    done = create_queue(device, channel, entries, parents, queue, created, failure);
    if (!done)
        free(queue);
release_channel:
    handles_release(channel_name);
release_device:
    handles_release(device_name);
    return done;
}

bool completions_destroy_queue(handle name, void **keeper, struct failure *failure)
{
    struct completion_queue *queue = handles_close(name, KIND_COMPLETION_QUEUE, "ibv_destroy_cq", failure);
    if (!queue || !handles_finish(name, "ibv_destroy_cq", ibv_destroy_cq(queue->cq), failure))
        return false;
    *keeper = queue->keeper;
    free(queue);
    return true;
}

bool completions_request_notification(handle name, struct failure *failure)
{
    struct completion_queue *queue = handles_use(name, KIND_COMPLETION_QUEUE, failure);
    if (!queue)
        return false;
    int error = ibv_req_notify_cq(queue->cq, 0);
    handles_release(name);
    return !error || fail_system(failure, "ibv_req_notify_cq", error);
}

bool completions_poll(handle name, int *count, bool *unsuccessful, struct failure *failure)
{
    struct completion_queue *queue = handles_use(name, KIND_COMPLETION_QUEUE, failure);
    if (!queue)
        return false;
    int found = ibv_poll_cq(queue->cq, queue->capacity, queue->completions);
    *unsuccessful = false;
    for (int i = 0; i < found; i++)
        *unsuccessful |= queue->completions[i].status != IBV_WC_SUCCESS;
    handles_release(name);
    *count = found < 0 ? 0 : found;
    return found >= 0 || fail_system(failure, "ibv_poll_cq", EIO);
}
