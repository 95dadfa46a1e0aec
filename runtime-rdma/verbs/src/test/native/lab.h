// SPDX-License-Identifier: Apache-2.0
// What the tests of the core share: one poller and event channel, two ends of a connection within this process, and lines
// `ok - ` and `not ok - `.
#ifndef EMPLACE_LAB_H
#define EMPLACE_LAB_H

#include "completions.h"
#include "connections.h"
#include "devices.h"
#include "memory.h"
#include "poller.h"
#include "queue_pairs.h"
#include "work.h"

#include <stdatomic.h>

// A queue pair takes DEPTH requests; a completion queue takes all that a test ever posts.
enum { MEMORY_SIZE = 1 << 16, INLINE_SIZE = 32, DEPTH = 64, COMPLETIONS = 4 * DEPTH };

// One end, with what belongs to it.
struct end {
    handle id;
    handle device;
    handle domain;
    handle channel;
    handle completions;
    struct ibv_wc completion; // what the last poll took
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
    struct failure failure; // of the last call that failed
};

// States what holds; ends the process if it is essential.
bool state(bool holds, const char *statement, const struct failure *failure);
void need(bool holds, const char *what, const struct failure *failure);

// The exit status: 1 if a statement did not hold.
int lab_status(void);

void lab_open(struct lab *lab, const uint8_t address[4]);
void lab_close(struct lab *lab);

// The next event, which has to be of that type; fails after 20 s.
struct event lab_event(struct lab *lab, enum rdma_cm_event_type type);

// Connects two ends; with shared receive queues if asked.
void pair_connect(struct lab *lab, struct pair *pair, bool shared);

// Disconnects and destroys. The device stays open.
void pair_close(struct lab *lab, struct pair *pair);

// Destroys an end's objects; the identifier too.
void end_destroy(struct lab *lab, struct end *end);

// Takes an end's next completion; fails after 20 s.
struct ibv_wc end_completion(struct lab *lab, struct end *end);

// Posts a request with one element, of the memory from an offset on.
bool end_post(struct end *end, struct send_request request, size_t offset, size_t length, struct failure *failure);
bool end_receive(struct end *end, size_t offset, size_t length, struct failure *failure);

#endif
