// SPDX-License-Identifier: Apache-2.0
// A device goes away with work in flight: removal ADDRESS DEVICE.
#include "lab.h"

#include <arpa/inet.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments)
{
    uint8_t address[4];
    if (count != 3 || inet_pton(AF_INET, arguments[1], address) != 1) {
        fprintf(stderr, "usage: removal ADDRESS DEVICE\n");
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

    pid_t remover;
    char *const command[] = {"rdma", "link", "delete", arguments[2], NULL};
    need(!posix_spawnp(&remover, command[0], NULL, NULL, command, environ), "the device is being deleted", NULL);
    // Every identifier hears of it: both ends and the listener.
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
    state(devices_close(device, &failure), "everything on a removed device is destroyed in order", &failure);
    lab_close(&lab);
    // The kernel may wait for this process to let go of the device; the end of the process does.
    state(waitpid(remover, NULL, WNOHANG) >= 0, "the process goes on", NULL);
    return lab_status();
}
