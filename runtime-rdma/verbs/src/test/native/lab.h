// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the native code: a poller and event channel, and two ends of a connection in this process. Prints lines
// `ok - ` and `not ok - `.
#ifndef EMPLACE_LAB_H
#define EMPLACE_LAB_H

#include "connections.h"
#include "devices.h"

#include <stdatomic.h>

// A queue pair takes DEPTH requests. A completion queue has room for all requests of a test.
enum { MEMORY_SIZE = 1 << 16, INLINE_SIZE = 32, DEPTH = 64, COMPLETIONS = 4 * DEPTH };

// One end of a connection, with its objects.
struct end {
    handle id;
    handle device;
    handle domain;
    handle channel;
    handle completions;
    struct ibv_wc completion; // of the last poll
    int completed;
    handle shared_receives;
    handle queue_pair;
    handle region;
    uint32_t local_key;
    uint32_t remote_key;
    unsigned char *memory;
};

struct pair {
    struct end client;
    struct end server;
};

struct lab {
    handle poller;
    handle events;
    struct endpoint address;
    handle listener;
    struct failure failure; // of the last failed call
};

// Prints whether a statement holds. need, for essential statements, ends the process if not.
bool state(bool holds, const char *statement, const struct failure *failure);
void need(bool holds, const char *what, const struct failure *failure);

// The exit status: 1 if a statement did not hold.
int lab_status(void);

void lab_open(struct lab *lab, const uint8_t address[4]);
void lab_close(struct lab *lab);

// The next event, which must be of this type. Fails after 20 s.
struct event lab_event(struct lab *lab, enum rdma_cm_event_type type);

// Connects two ends, with shared receive queues if shared.
void pair_connect(struct lab *lab, struct pair *pair, bool shared);

// Disconnects and destroys the ends. The device stays open.
void pair_close(struct lab *lab, struct pair *pair);

// Destroys an end's objects and its identifier.
void end_destroy(struct lab *lab, struct end *end);

// The next completion of an end. Fails after 20 s.
struct ibv_wc end_completion(struct lab *lab, struct end *end);

// Posts a request with one element, from offset in the end's memory.
bool end_post(struct end *end, struct send_request request, size_t offset, size_t length, struct failure *failure);
bool end_receive(struct end *end, size_t offset, size_t length, struct failure *failure);

#endif
