// SPDX-License-Identifier: Apache-2.0
#include "handles.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// A slot's state: generation, kind, whether it is closing, and the number of calls that use it. One word, so that one exchange changes it.
#define USERS UINT64_C(0x7fffff)
#define CLOSING UINT64_C(0x800000)
#define KIND_SHIFT 24
#define GENERATION_SHIFT 32
#define LAST_GENERATION UINT32_C(0x7fffffff)

struct slot {
    _Atomic uint64_t state;
    atomic_uint dependants;
    void *object;
    handle parents[HANDLE_PARENTS];
    struct slot *next_free;
    uint32_t index;
};

enum { PAGES = 4096, SLOTS = 256 };

// Pages are never freed or moved, so a stale handle can be looked up without a lock.
static _Atomic(struct slot *) pages[PAGES];

// Guards the variables below. The condition is signaled when a closing object has lost its last user.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
static struct slot *free_slots;
static uint32_t page_count;

static const char *const names[] = {
    [KIND_NONE] = "nothing",
    [KIND_POLLER] = "poller",
    [KIND_EVENT_CHANNEL] = "event channel",
    [KIND_IDENTIFIER] = "connection identifier",
    [KIND_DEVICE] = "device",
    [KIND_DOMAIN] = "protection domain",
    [KIND_COMPLETION_CHANNEL] = "completion channel",
    [KIND_COMPLETION_QUEUE] = "completion queue",
    [KIND_SHARED_RECEIVE_QUEUE] = "shared receive queue",
    [KIND_QUEUE_PAIR] = "queue pair",
    [KIND_REGION] = "memory region",
    [KIND_WINDOW] = "memory window",
};

static uint64_t open_state(uint32_t generation, enum kind kind)
{
    return (uint64_t)generation << GENERATION_SHIFT | (uint64_t)kind << KIND_SHIFT;
}

static uint32_t generation_of(uint64_t state)
{
    return (uint32_t)(state >> GENERATION_SHIFT);
}

static struct slot *slot_of(handle name)
{
    uint32_t index = (uint32_t)name;
    if (name <= 0 || index >= PAGES * SLOTS)
        return NULL;
    struct slot *page = atomic_load(&pages[index / SLOTS]);
    return page ? &page[index % SLOTS] : NULL;
}

static bool is_open(uint64_t state, handle name, enum kind kind)
{
    return (state & ~USERS) == open_state((uint32_t)((uint64_t)name >> GENERATION_SHIFT), kind);
}

// The caller holds the mutex.
static bool add_page(void)
{
    if (page_count == PAGES)
        return false;
    struct slot *page = calloc(SLOTS, sizeof *page);
    if (!page)
        return false;
    for (uint32_t i = SLOTS; i-- > 0;) {
        page[i].index = page_count * SLOTS + i;
        page[i].next_free = free_slots;
        free_slots = &page[i];
    }
    atomic_store(&pages[page_count++], page);
    return true;
}

static struct slot *take_slot(void)
{
    pthread_mutex_lock(&mutex);
    struct slot *slot = NULL;
    if (free_slots || add_page()) {
        slot = free_slots;
        free_slots = slot->next_free;
    }
    pthread_mutex_unlock(&mutex);
    return slot;
}

bool handles_add(enum kind kind, void *object, const handle parents[HANDLE_PARENTS], handle *added, struct failure *failure)
{
    struct slot *slot = take_slot();
    if (!slot)
        return fail_system(failure, "calloc", ENOMEM);
    slot->object = object;
    atomic_store(&slot->dependants, 0);
    for (size_t i = 0; i < HANDLE_PARENTS; i++) {
        slot->parents[i] = parents[i];
        if (parents[i])
            atomic_fetch_add(&slot_of(parents[i])->dependants, 1);
    }
    uint32_t generation = generation_of(atomic_load(&slot->state)) + 1;
    atomic_store(&slot->state, open_state(generation, kind));
    *added = (handle)((uint64_t)generation << GENERATION_SHIFT | slot->index);
    return true;
}

void *handles_use(handle name, enum kind kind, struct failure *failure)
{
    struct slot *slot = slot_of(name);
    uint64_t state = slot ? atomic_load(&slot->state) : 0;
    do {
        if (!slot || !is_open(state, name, kind)) {
            fail_handle(failure, names[kind]);
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&slot->state, &state, state + 1));
    return slot->object;
}

void handles_release(handle name)
{
    uint64_t before = atomic_fetch_sub(&slot_of(name)->state, 1);
    if ((before & CLOSING) && (before & USERS) == 1) {
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&unused);
        pthread_mutex_unlock(&mutex);
    }
}

void *handles_close(handle name, enum kind kind, const char *function, struct failure *failure)
{
    struct slot *slot = slot_of(name);
    uint64_t state = slot ? atomic_load(&slot->state) : 0;
    do {
        if (!slot || !is_open(state, name, kind)) {
            fail_handle(failure, names[kind]);
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&slot->state, &state, state | CLOSING));

    pthread_mutex_lock(&mutex);
    while (atomic_load(&slot->state) & USERS)
        pthread_cond_wait(&unused, &mutex);
    pthread_mutex_unlock(&mutex);

    // Checked only now, because a call that was still using the object may have created a dependant.
    if (atomic_load(&slot->dependants)) {
        handles_reopen(name);
        fail_system(failure, function, EBUSY);
        return NULL;
    }
    return slot->object;
}

void handles_reopen(handle name)
{
    atomic_fetch_and(&slot_of(name)->state, ~CLOSING);
}

void handles_remove(handle name)
{
    struct slot *slot = slot_of(name);
    for (size_t i = 0; i < HANDLE_PARENTS; i++)
        if (slot->parents[i])
            atomic_fetch_sub(&slot_of(slot->parents[i])->dependants, 1);
    slot->object = NULL;
    uint32_t generation = generation_of(atomic_load(&slot->state));
    atomic_store(&slot->state, open_state(generation, KIND_NONE));
    if (generation == LAST_GENERATION)
        return; // generations are used up; the slot is never used again
    pthread_mutex_lock(&mutex);
    slot->next_free = free_slots;
    free_slots = slot;
    pthread_mutex_unlock(&mutex);
}

bool handles_finish(handle name, const char *function, int result, struct failure *failure)
{
    if (result) {
        handles_reopen(name);
        return fail_system(failure, function, result);
    }
    handles_remove(name);
    return true;
}

bool handles_depends(handle name, handle other)
{
    if (name == other)
        return true;
    const struct slot *slot = slot_of(name);
    for (size_t i = 0; slot && i < HANDLE_PARENTS; i++)
        if (slot->parents[i] && handles_depends(slot->parents[i], other))
            return true;
    return false;
}
