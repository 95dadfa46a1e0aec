// SPDX-License-Identifier: Apache-2.0
// Removes a device with work in flight, and adds it again: removal ADDRESS DEVICE TYPE NETDEV.
#include "lab.h"

#include <arpa/inet.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// librdmacm leaks its own domain on a removed device, because it cannot free it in the kernel. Other leaks are reported.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:librdmacm";
}

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "fast_unwind_on_malloc=0:print_suppressions=0";
}

static pid_t start(char *const command[])
{
    pid_t process;
    need(!posix_spawnp(&process, command[0], NULL, NULL, command, environ), "a command starts", NULL);
    return process;
}

// Whether a child process exits with status 0 within 20 s.
static bool succeeds(pid_t process)
{
    time_t end = time(NULL) + 20;
    int status = -1;
    pid_t ended;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 && time(NULL) < end)
        usleep(50000);
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments)
{
    uint8_t address[4];
    if (count != 5 || inet_pton(AF_INET, arguments[1], address) != 1) {
        fprintf(stderr, "usage: removal ADDRESS DEVICE TYPE NETDEV\n");
        return 2;
    }
    struct lab lab;
    struct pair pair;
    struct failure failure;
    lab_open(&lab, address);
    pair_connect(&lab, &pair, false);
    handle device = pair.client.device;
    struct send_request write = {.opcode = WORK_WRITE,
        .flags = WORK_SIGNALED,
        .remote_address = (int64_t)(intptr_t)pair.server.memory,
        .key = (int32_t)pair.server.remote_key};
    for (int i = 0; i < DEPTH / 2; i++)
        need(end_post(&pair.client, write, 0, MEMORY_SIZE, &failure), "work is posted", &failure);

    pid_t remover = start((char *[]){"rdma", "link", "delete", arguments[2], NULL});
    // Every identifier gets the event: both ends and the listener.
    int removals = 0;
    int disconnects = 0;
    union {
        struct event event;
        char room[sizeof(struct event) + PRIVATE_DATA_SIZE];
    } next;
    time_t end = time(NULL) + 20;
    while (removals < 2 && time(NULL) < end) {
        bool taken;
        handle ready[8];
        int ready_count;
        need(poller_await(lab.poller, 500, ready, 8, &ready_count, &failure), "the poller waits", &failure);
        need(connections_next_event(lab.events, &next, sizeof next, &taken, &failure), "events are taken", &failure);
        removals += taken && next.event.type == RDMA_CM_EVENT_DEVICE_REMOVAL;
        disconnects += taken && next.event.type == RDMA_CM_EVENT_DISCONNECTED;
    }
    if (!state(removals >= 2, "both ends hear that the device is removed", NULL))
        printf("  # %d removals, %d disconnects\n", removals, disconnects);
    end_destroy(&lab, &pair.client);
    end_destroy(&lab, &pair.server);
    state(devices_close(device, true, &failure), "everything on a removed device is destroyed in order", &failure);
    state(succeeds(remover), "the device is gone while the process goes on", NULL);
    lab_close(&lab);

    pid_t adder = start((char *[]){"rdma", "link", "add", arguments[2], "type", arguments[3], "netdev", arguments[4], NULL});
    need(succeeds(adder), "the device is added again", NULL);
    lab_open(&lab, address);
    pair_connect(&lab, &pair, false);
    device = pair.client.device;
    write.remote_address = (int64_t)(intptr_t)pair.server.memory;
    write.key = (int32_t)pair.server.remote_key;
    need(end_post(&pair.client, write, 0, MEMORY_SIZE, &failure), "work is posted", &failure);
    state(end_completion(&lab, &pair.client).status == 0, "the process uses the new device of that name", NULL);
    pair_close(&lab, &pair);
    state(devices_close(device, false, &failure), "and closes it", &failure);
    lab_close(&lab);
    return lab_status();
}
