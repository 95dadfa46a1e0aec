// SPDX-License-Identifier: Apache-2.0
#include "handles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct poller {
    int epoll;
    int wakeups;
    atomic_bool closing; // wake-ups then stay unread, which ends every wait
};

enum { BATCH = 64 };

static bool watch(int epoll, int descriptor, handle name, struct failure *failure)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)name};
    return !epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) || fail_system(failure, "epoll_ctl", errno);
}

bool poller_create(handle *created, struct failure *failure)
{
    struct poller *poller = calloc(1, sizeof *poller);
    if (!poller)
        return fail_system(failure, "calloc", ENOMEM);
    poller->wakeups = -1;
    poller->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (poller->epoll < 0) {
        fail_system(failure, "epoll_create1", errno);
        goto undo;
    }
    poller->wakeups = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poller->wakeups < 0) {
        fail_system(failure, "eventfd", errno);
        goto undo;
    }
    const handle parents[HANDLE_PARENTS] = {0};
    if (watch(poller->epoll, poller->wakeups, 0, failure) && handles_add(KIND_POLLER, poller, parents, created, failure))
        return true;
undo:
    if (poller->wakeups >= 0)
        close(poller->wakeups);
    if (poller->epoll >= 0)
        close(poller->epoll);
    free(poller);
    return false;
}

static bool wake(const struct poller *poller, struct failure *failure)
{
    uint64_t one = 1;
    // EAGAIN: the counter is at its limit, so the poller is already woken.
    return write(poller->wakeups, &one, sizeof one) > 0 || errno == EAGAIN || fail_system(failure, "write", errno);
}

bool poller_destroy(handle name, struct failure *failure)
{
    struct poller *poller = handles_use(name, KIND_POLLER, failure);
    if (!poller)
        return false;
    atomic_store(&poller->closing, true);
    bool woken = wake(poller, failure);
    handles_release(name);
    if (!woken)
        return false;
    if (!handles_close(name, KIND_POLLER, "close", failure)) {
        struct failure gone;
        if (handles_use(name, KIND_POLLER, &gone)) {
            atomic_store(&poller->closing, false);
            handles_release(name);
        }
        return false;
    }
    close(poller->wakeups);
    close(poller->epoll);
    free(poller);
    handles_remove(name);
    return true;
}

bool poller_wake(handle name, struct failure *failure)
{
    struct poller *poller = handles_use(name, KIND_POLLER, failure);
    if (!poller)
        return false;
    bool woken = wake(poller, failure);
    handles_release(name);
    return woken;
}

static void take_wakeups(struct poller *poller)
{
    uint64_t wakeups;
    if (!atomic_load(&poller->closing) && read(poller->wakeups, &wakeups, sizeof wakeups) < 0)
        return; // another thread has read the wake-ups
}

bool poller_await(handle name, int timeout_millis, handle *ready, int capacity, int *count, struct failure *failure)
{
    if (timeout_millis < 0)
        return fail_argument(failure, "the time to wait is negative");
    if (capacity <= 0)
        return fail_argument(failure, "there is no room for what is ready");
    struct poller *poller = handles_use(name, KIND_POLLER, failure);
    if (!poller)
        return false;
    struct epoll_event events[BATCH];
    // One more than fits, because one may be the wake-up. The next wait reports descriptors that were left out.
    int wanted = capacity < BATCH ? capacity + 1 : BATCH;
    int found = epoll_wait(poller->epoll, events, wanted, timeout_millis);
    if (found < 0 && errno != EINTR) {
        fail_system(failure, "epoll_wait", errno);
        handles_release(name);
        return false;
    }
    *count = 0;
    for (int i = 0; i < found; i++) {
        if (!events[i].data.u64)
            take_wakeups(poller);
        else if (*count < capacity)
            ready[(*count)++] = (handle)events[i].data.u64;
    }
    handles_release(name);
    return true;
}

bool poller_watch(struct poller *poller, int descriptor, handle name, struct failure *failure)
{
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
        return fail_system(failure, "fcntl", errno);
    return watch(poller->epoll, descriptor, name, failure);
}

void poller_forget(struct poller *poller, int descriptor)
{
    // This fails only if the descriptor is not watched, which is the wanted result.
    epoll_ctl(poller->epoll, EPOLL_CTL_DEL, descriptor, NULL);
}
