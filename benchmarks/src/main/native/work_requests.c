// SPDX-License-Identifier: Apache-2.0
// Measures the cost of posting and reaping a work request in C: work_requests ADDRESS DEVICE. The counterpart of the Java class WorkRequests,
// which does the same steps. Writes 8 bytes 32 times, posted and polled one at a time or all at once, repeatedly. Prints a line per run.
// The bytes are inline: siw (Linux 6.1) passes about every hundredth request to a kernel thread, which cannot read a short payload from
// user space and ends the queue pair with "local QP operation error".
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REQUESTS = 32, ROUNDS = 200, WARM_UP = 2, RUNS = 9, LENGTH = 8 };

static struct rdma_cm_id *listener;
static struct rdma_cm_id *server;
static struct rdma_cm_id *client;
static struct ibv_mr *source;
static struct ibv_mr *sink;
static char memory[2][4096];

static void need(int holds, const char *what)
{
    if (!holds) {
        perror(what);
        exit(1);
    }
}

static struct rdma_cm_id *endpoint(const char *address, int flags)
{
    struct rdma_addrinfo hints = {.ai_flags = flags, .ai_port_space = RDMA_PS_TCP};
    struct rdma_addrinfo *found;
    need(!rdma_getaddrinfo(address, "20101", &hints, &found), "rdma_getaddrinfo");
    struct ibv_qp_init_attr attributes = {
        .cap = {.max_send_wr = 2 * REQUESTS, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = LENGTH}, .sq_sig_all = 1};
    struct rdma_cm_id *id;
    need(!rdma_create_ep(&id, found, NULL, &attributes), "rdma_create_ep");
    rdma_freeaddrinfo(found);
    return id;
}

static void *serve(void *unused)
{
    need(!rdma_get_request(listener, &server), "rdma_get_request");
    sink = rdma_reg_write(server, memory[1], sizeof memory[1]);
    need(sink != NULL, "rdma_reg_write");
    need(!rdma_accept(server, NULL), "rdma_accept");
    return unused;
}

static long long nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long post(int first, int count)
{
    long long start = nanos();
    struct ibv_send_wr requests[REQUESTS];
    struct ibv_sge elements[REQUESTS];
    struct ibv_send_wr *bad;
    for (int i = 0; i < count; i++) {
        elements[i] = (struct ibv_sge){(uintptr_t)memory[0] + (size_t)(first + i) * LENGTH, LENGTH, source->lkey};
        requests[i] = (struct ibv_send_wr){.wr_id = (uint64_t)(first + i),
            .next = i + 1 < count ? &requests[i + 1] : NULL,
            .sg_list = &elements[i],
            .num_sge = 1,
            .opcode = IBV_WR_RDMA_WRITE,
            .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
            .wr.rdma = {(uintptr_t)memory[1] + (size_t)(first + i) * LENGTH, sink->rkey}};
    }
    need(!ibv_post_send(client->qp, requests, &bad), "ibv_post_send");
    return nanos() - start;
}

// The time of the polls that found completions.
static long long reap(int at_once)
{
    long long spent = 0;
    uint64_t next = 0;
    while (next < REQUESTS) {
        struct ibv_wc completions[REQUESTS];
        long long start = nanos();
        int found = ibv_poll_cq(client->send_cq, at_once, completions);
        need(found >= 0, "ibv_poll_cq");
        for (int i = 0; i < found; i++) {
            if (completions[i].status != IBV_WC_SUCCESS || completions[i].wr_id != next++) {
                fprintf(stderr, "Write %llu: %s\n", (unsigned long long)completions[i].wr_id,
                    ibv_wc_status_str(completions[i].status));
                exit(1);
            }
        }
        if (found)
            spent += nanos() - start;
    }
    return spent;
}

static int ascending(const void *a, const void *b)
{
    long long left = *(const long long *)a;
    long long right = *(const long long *)b;
    return (left > right) - (left < right);
}

// The median round, per request, because other work on the machine makes some rounds much longer.
static long long median(long long rounds[ROUNDS])
{
    qsort(rounds, ROUNDS, sizeof rounds[0], ascending);
    return rounds[ROUNDS / 2] / REQUESTS;
}

static void run(const char *device, int batch, int number)
{
    static long long posting[ROUNDS];
    static long long reaping[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        posting[round] = 0;
        for (int i = 0; i < REQUESTS; i += batch)
            posting[round] += post(i, batch);
        reaping[round] = reap(batch);
    }
    if (number >= WARM_UP)
        printf("work-request language=c device=%s batch=%d run=%d post_ns=%lld reap_ns=%lld\n", device, batch,
            number - WARM_UP, median(posting), median(reaping));
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: work_requests ADDRESS DEVICE\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    pthread_t thread;
    listener = endpoint(arguments[1], RAI_PASSIVE);
    need(!rdma_listen(listener, 1), "rdma_listen");
    need(!pthread_create(&thread, NULL, serve, NULL), "pthread_create");
    client = endpoint(arguments[1], 0);
    source = rdma_reg_msgs(client, memory[0], sizeof memory[0]);
    need(source != NULL, "rdma_reg_msgs");
    need(!rdma_connect(client, NULL), "rdma_connect");
    pthread_join(thread, NULL);
    for (int number = 0; number < RUNS; number++) {
        run(arguments[2], 1, number);
        run(arguments[2], REQUESTS, number);
    }
    return 0;
}
