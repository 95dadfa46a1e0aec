// SPDX-License-Identifier: Apache-2.0
// Destroys objects in use: closing ADDRESS ROUNDS CONNECTIONS.
// Threads post, poll and wait while their objects are destroyed. Then many connections are opened and closed, and must leave nothing behind.
#include "lab.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

struct worker {
    struct end *end;
    handle poller;
    atomic_int calls;
    atomic_bool done;
};

// Each thread calls until its handle is invalid, which is the expected end.
static void *post(void *argument)
{
    struct worker *worker = argument;
    struct failure failure = {FAILURE_SYSTEM, "none", 0};
    struct end *end = worker->end;
    struct {
        struct send_request request;
        struct scatter_gather element;
    } write = {{.opcode = WORK_WRITE, .flags = WORK_SIGNALED, .elements = 1},
        {(int64_t)(intptr_t)end->memory, 8, (int32_t)end->local_key}};
    int taken;
    // A full queue or one in the error state does not end the loop.
    while (work_post_send(end->queue_pair, &write, sizeof write, 1, &taken, &failure) || failure.kind != FAILURE_HANDLE)
        atomic_fetch_add(&worker->calls, 1);
    atomic_store(&worker->done, true);
    return NULL;
}

static void *poll_completions(void *argument)
{
    struct worker *worker = argument;
    struct failure failure;
    int count;
    bool unsuccessful;
    while (completions_poll(worker->end->completions, &count, &unsuccessful, &failure))
        atomic_fetch_add(&worker->calls, 1);
    atomic_store(&worker->done, failure.kind == FAILURE_HANDLE);
    return NULL;
}

static void *wait_for_events(void *argument)
{
    struct worker *worker = argument;
    struct failure failure;
    handle ready[8];
    int count;
    while (poller_await(worker->poller, 60000, ready, 8, &count, &failure))
        atomic_fetch_add(&worker->calls, 1);
    atomic_store(&worker->done, failure.kind == FAILURE_HANDLE);
    return NULL;
}

static void started(pthread_t *thread, void *(*run)(void *), struct worker *worker)
{
    need(!pthread_create(thread, NULL, run, worker), "a thread starts", NULL);
    while (!atomic_load(&worker->calls))
        sched_yield();
}

static bool one_round(const uint8_t address[4], bool shared)
{
    struct lab lab;
    struct pair pair;
    pthread_t threads[3];
    lab_open(&lab, address);
    pair_connect(&lab, &pair, shared);
    handle device = pair.client.device;
    struct worker poster = {.end = &pair.client};
    struct worker poller = {.end = &pair.client};
    struct worker waiter = {.poller = lab.poller};
    // The waiter may return only at the end, so this does not wait for it.
    need(!pthread_create(&threads[2], NULL, wait_for_events, &waiter), "a thread starts", NULL);
    started(&threads[0], post, &poster);
    started(&threads[1], poll_completions, &poller);
    end_destroy(&lab, &pair.client);
    end_destroy(&lab, &pair.server);
    need(devices_close(device, false, &lab.failure), "the device is closed", &lab.failure);
    lab_close(&lab);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return atomic_load(&poster.done) && atomic_load(&poller.done) && atomic_load(&waiter.done);
}

static int descriptors(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

static void connect_many(const uint8_t address[4], int connections)
{
    int before = 0;
    int after = 0;
    for (int i = 0; i <= connections; i++) {
        struct lab lab;
        struct pair pair;
        lab_open(&lab, address);
        pair_connect(&lab, &pair, i % 2);
        handle device = pair.client.device;
        pair_close(&lab, &pair);
        need(devices_close(device, false, &lab.failure), "the device is closed", &lab.failure);
        lab_close(&lab);
        after = descriptors();
        // The libraries allocate memory at the first connection and keep it.
        if (i == 0)
            before = after;
    }
    char text[80];
    snprintf(text, sizeof text, "%d connections leave no descriptor", connections);
    if (!state(before == after, text, NULL))
        printf("  # %d before, %d after\n", before, after);
}

int main(int count, char **arguments)
{
    uint8_t address[4];
    if (count != 4 || inet_pton(AF_INET, arguments[1], address) != 1) {
        fprintf(stderr, "usage: closing ADDRESS ROUNDS CONNECTIONS\n");
        return 2;
    }
    int rounds = atoi(arguments[2]);
    bool good = true;
    for (int i = 0; i < rounds; i++)
        good = one_round(address, i % 2) && good;
    state(good, "what is destroyed under threads that use it is refused to them, and no more", NULL);
    connect_many(address, atoi(arguments[3]));
    return lab_status();
}
