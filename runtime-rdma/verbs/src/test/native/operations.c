// SPDX-License-Identifier: Apache-2.0
// Tests the operations of a connection: operations ADDRESS.
#include "lab.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool completes(struct lab *lab, struct end *end, enum ibv_wc_status status)
{
    struct ibv_wc completion = end_completion(lab, end);
    if (completion.status == status)
        return true;
    printf("  # %s\n", ibv_wc_status_str(completion.status));
    return false;
}

static void sends(struct lab *lab, struct pair *pair, const char *statement, int flags)
{
    struct failure failure = {FAILURE_ARGUMENT, "no call failed", 0};
    size_t length = strlen(statement);
    memcpy(pair->client.memory, statement, length);
    memset(pair->server.memory, 0, length);
    struct send_request send = {.opcode = WORK_SEND, .flags = WORK_SIGNALED | flags};
    bool sent = end_receive(&pair->server, 0, 64, &failure) && end_post(&pair->client, send, 0, length, &failure) &&
        completes(lab, &pair->client, IBV_WC_SUCCESS) && completes(lab, &pair->server, IBV_WC_SUCCESS);
    state(sent && !memcmp(pair->server.memory, statement, length), statement, &failure);
}

static void writes_and_reads(struct lab *lab, struct pair *pair)
{
    struct failure failure = {FAILURE_ARGUMENT, "no call failed", 0};
    struct end *client = &pair->client;
    struct end *server = &pair->server;
    memset(client->memory, 'w', MEMORY_SIZE / 2);
    struct send_request request = {.opcode = WORK_WRITE,
        .flags = WORK_SIGNALED,
        .remote_address = (int64_t)(intptr_t)server->memory,
        .key = (int32_t)server->remote_key};
    bool written = end_post(client, request, 0, MEMORY_SIZE / 2, &failure) && completes(lab, client, IBV_WC_SUCCESS);
    request.opcode = WORK_READ;
    bool read = written && end_post(client, request, MEMORY_SIZE / 2, MEMORY_SIZE / 2, &failure) &&
        completes(lab, client, IBV_WC_SUCCESS);
    bool same = !memcmp(client->memory, client->memory + MEMORY_SIZE / 2, MEMORY_SIZE / 2);
    state(read && same, "what is written is what is read", &failure);
}

// Posts more requests than the core passes to the device at once, then more than the queue holds.
static void batches(struct lab *lab, struct pair *pair)
{
    enum { SENDS = 40, TOO_MANY = 3 * DEPTH };
    struct failure failure = {FAILURE_ARGUMENT, "no call failed", 0};
    struct end *client = &pair->client;
    struct {
        struct send_request request;
        struct scatter_gather element;
    } posts[TOO_MANY];
    for (int i = 0; i < TOO_MANY; i++) {
        posts[i].request = (struct send_request){.id = i,
            .opcode = WORK_WRITE,
            .flags = WORK_SIGNALED,
            .remote_address = (int64_t)(intptr_t)pair->server.memory,
            .key = (int32_t)pair->server.remote_key,
            .elements = 1};
        posts[i].element = (struct scatter_gather){(int64_t)(intptr_t)client->memory, 8, (int32_t)client->local_key};
    }
    int taken = 0;
    bool done = work_post_send(client->queue_pair, posts, sizeof posts, SENDS, &taken, &failure) && taken == SENDS;
    for (int i = 0; i < SENDS && done; i++)
        done = completes(lab, client, IBV_WC_SUCCESS);
    state(done, "a batch of 40 requests completes", &failure);
    done = work_post_send(client->queue_pair, posts, sizeof posts, TOO_MANY, &taken, &failure);
    state(done && taken >= DEPTH, "a batch is taken as far as the queue has room", &failure);
    for (int i = 0; i < taken; i++)
        done = done && completes(lab, client, IBV_WC_SUCCESS);
    state(done, "what was taken completes", &failure);
    int before = taken;
    done = work_post_send(client->queue_pair, posts, sizeof posts[0] - 1, 1, &taken, &failure);
    state(!done && failure.kind == FAILURE_ARGUMENT && before, "a request beyond the buffer's end is refused", &failure);
    posts[0].request.elements = INT32_MAX;
    done = work_post_send(client->queue_pair, posts, sizeof posts, 1, &taken, &failure);
    state(!done && failure.kind == FAILURE_ARGUMENT, "elements beyond the buffer's end are refused", &failure);
}

static void windows(struct lab *lab, struct pair *pair)
{
    struct failure failure = {FAILURE_ARGUMENT, "no call failed", 0};
    struct end *server = &pair->server;
    handle window;
    uint32_t key;
    if (!memory_allocate_window(server->domain, &window, &key, &failure)) {
        state(failure.kind == FAILURE_SYSTEM, "a device without windows says so", &failure);
        return;
    }
    struct send_request bind = {.opcode = WORK_BIND, .flags = WORK_SIGNALED, .window = window, .region = server->region};
    struct send_request write = {.opcode = WORK_WRITE,
        .flags = WORK_SIGNALED,
        .remote_address = (int64_t)(intptr_t)(server->memory + 4096)};
    struct send_request invalidate = {.opcode = WORK_LOCAL_INVALIDATE, .flags = WORK_SIGNALED};
    bool done = true;
    for (int round = 0; round < 3 && done; round++) {
        key = (key & ~0xffu) | ((key + 1) & 0xffu);
        bind.access = ACCESS_REMOTE_WRITE;
        bind.key = write.key = invalidate.key = (int32_t)key;
        done = end_post(server, bind, 4096, 4096, &failure) && completes(lab, server, IBV_WC_SUCCESS) &&
            end_post(&pair->client, write, 0, 4096, &failure) && completes(lab, &pair->client, IBV_WC_SUCCESS) &&
            end_post(server, invalidate, 0, 0, &failure) && completes(lab, server, IBV_WC_SUCCESS);
    }
    state(done, "a window is bound, written through and invalidated, three times", &failure);
    key = (key & ~0xffu) | ((key + 1) & 0xffu);
    bind.key = (int32_t)key;
    struct send_request send = {.opcode = WORK_SEND_WITH_INVALIDATE, .flags = WORK_SIGNALED, .key = (int32_t)key};
    done = end_post(server, bind, 4096, 4096, &failure) && completes(lab, server, IBV_WC_SUCCESS) &&
        end_receive(server, 0, 64, &failure) && end_post(&pair->client, send, 0, 8, &failure) &&
        completes(lab, &pair->client, IBV_WC_SUCCESS);
    struct ibv_wc completion = {0};
    if (done)
        completion = end_completion(lab, server);
    // rxe sets the kernel's number of the flag, which has another name in user space.
    const unsigned flags = IBV_WC_WITH_INV | IBV_WC_IP_CSUM_OK;
    state(done && completion.status == IBV_WC_SUCCESS && (completion.wc_flags & flags) &&
            completion.invalidated_rkey == key,
        "a peer's Send invalidates a window, and is reported", &failure);
    write.key = (int32_t)key;
    done = end_post(&pair->client, write, 0, 8, &failure) && completes(lab, &pair->client, IBV_WC_REM_ACCESS_ERR);
    state(done, "an invalidated window lets nobody in", &failure);
    state(memory_deallocate_window(window, &failure), "a window is deallocated", &failure);
}

static void handles(struct lab *lab, struct pair *pair)
{
    struct failure failure;
    struct end *end = &pair->client;
    bool busy = !memory_deallocate_domain(end->domain, &failure) && failure.kind == FAILURE_SYSTEM && failure.error == EBUSY;
    state(busy && !connections_destroy_id(end->id, &failure) && failure.error == EBUSY &&
            !poller_destroy(lab->poller, &failure) && failure.error == EBUSY,
        "what others depend on is busy, and stays", &failure);
    void *keeper = NULL;
    bool refused = !memory_deregister(end->domain, &keeper, &failure) && failure.kind == FAILURE_HANDLE &&
        !strcmp(failure.subject, "memory region");
    state(refused, "a handle of another kind is refused by the name of the wanted kind", &failure);
    bool none = true;
    const handle strange[] = {0, -1, INT64_MAX, INT64_MIN, end->queue_pair + 1, end->queue_pair + (1LL << 32)};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        none = none && !queue_pairs_destroy(strange[i], &failure) && failure.kind == FAILURE_HANDLE;
    state(none, "numbers that are no handles are refused", &failure);
    handle queue_pair = end->queue_pair;
    bool once = queue_pairs_destroy(queue_pair, &failure);
    end->queue_pair = 0;
    uint32_t number;
    state(once && !queue_pairs_destroy(queue_pair, &failure) && !queue_pairs_number(queue_pair, &number, &failure),
        "a queue pair is destroyed once, and gone then", &failure);
}

int main(int count, char **arguments)
{
    uint8_t address[4];
    if (count != 2 || inet_pton(AF_INET, arguments[1], address) != 1) {
        fprintf(stderr, "usage: operations ADDRESS\n");
        return 2;
    }
    struct lab lab;
    struct pair pair;
    lab_open(&lab, address);
    pair_connect(&lab, &pair, false);
    sends(&lab, &pair, "a message arrives", 0);
    sends(&lab, &pair, "a message sent inline arrives", WORK_INLINE);
    writes_and_reads(&lab, &pair);
    batches(&lab, &pair);
    windows(&lab, &pair);
    handles(&lab, &pair);
    // After one side's queue pair is destroyed, the other side still gets the event.
    end_destroy(&lab, &pair.client);
    lab_event(&lab, RDMA_CM_EVENT_DISCONNECTED);
    handle device = pair.server.device;
    end_destroy(&lab, &pair.server);
    pair_connect(&lab, &pair, true);
    state(pair.client.device == device && pair.server.device == device, "one device has one handle", NULL);
    sends(&lab, &pair, "a shared receive queue receives", 0);
    pair_close(&lab, &pair);
    state(devices_close(device, false, &lab.failure), "the device is closed", &lab.failure);
    lab_close(&lab);
    return lab_status();
}
