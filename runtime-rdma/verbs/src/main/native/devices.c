// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct device_event {
    int type;
    handle subject;
    struct device_event *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct device *open_devices; // guarded by the mutex

// The list of devices, to be freed with ibv_free_device_list; null with ENODEV if the kernel has no RDMA support.
static struct ibv_device **list(int *count, int *error)
{
    struct ibv_device **devices = ibv_get_device_list(count);
    *error = devices ? 0 : errno == ENOSYS || errno == ENOENT ? ENODEV : errno;
    return devices;
}

bool devices_names(char ***names, int *count, struct failure *failure)
{
    int found = 0;
    int error;
    struct ibv_device **devices = list(&found, &error);
    if (error && error != ENODEV)
        return fail_system(failure, "ibv_get_device_list", error);
    // One allocation: the pointers, then the names.
    char **all = calloc((size_t)found + 1, sizeof *all + IBV_SYSFS_NAME_MAX);
    if (all) {
        char *text = (char *)(all + found + 1);
        for (int i = 0; i < found; i++) {
            all[i] = text + (size_t)i * IBV_SYSFS_NAME_MAX;
            strncpy(all[i], ibv_get_device_name(devices[i]), IBV_SYSFS_NAME_MAX - 1);
        }
        *names = all;
        *count = found;
    }
    if (devices)
        ibv_free_device_list(devices);
    return all || fail_system(failure, "calloc", ENOMEM);
}

static bool query(struct ibv_context *context, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure)
{
    struct ibv_device_attr_ex device = {0};
    int error = ibv_query_device_ex(context, NULL, &device);
    if (error)
        return fail_system(failure, "ibv_query_device_ex", error);
    struct ibv_port_attr port = {0};
    error = ibv_query_port(context, 1, &port);
    if (error)
        return fail_system(failure, "ibv_query_port", error);
    const struct ibv_device_attr *general = &device.orig_attr;
    const unsigned flags = general->device_cap_flags;
    const int64_t found[DEVICE_ATTRIBUTES] = {
        context->device->transport_type == IBV_TRANSPORT_IWARP,
        port.link_layer == IBV_LINK_LAYER_ETHERNET,
        port.state,
        general->max_qp_rd_atom,
        general->max_qp_init_rd_atom,
        general->max_qp_wr,
        general->max_sge,
        general->max_cqe,
        general->max_mw,
        (flags & IBV_DEVICE_MEM_WINDOW_TYPE_2A ? 1 : 0) | (flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B ? 2 : 0) |
            (flags & IBV_DEVICE_MEM_MGT_EXTENSIONS ? 4 : 0),
        general->max_srq,
        general->max_srq_wr,
        general->vendor_id,
    };
    memcpy(attributes, found, sizeof found);
    return true;
}

bool devices_query_by_name(const char *name, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure)
{
    int error;
    struct ibv_device **devices = list(NULL, &error);
    if (!devices)
        return fail_system(failure, "ibv_get_device_list", error);
    struct ibv_device **device = devices;
    while (*device && strcmp(ibv_get_device_name(*device), name) != 0)
        device++;
    struct ibv_context *context = NULL;
    if (!*device) {
        fail_system(failure, "ibv_get_device_list", ENODEV);
    } else {
        errno = 0;
        context = ibv_open_device(*device);
        if (!context)
            fail_system(failure, "ibv_open_device", errno ? errno : ENODEV);
    }
    ibv_free_device_list(devices);
    if (!context)
        return false;
    bool done = query(context, attributes, failure);
    ibv_close_device(context);
    return done;
}

bool devices_query(handle name, int64_t attributes[DEVICE_ATTRIBUTES], struct failure *failure)
{
    struct device *device = handles_use(name, KIND_DEVICE, failure);
    if (!device)
        return false;
    bool done = query(device->context, attributes, failure);
    handles_release(name);
    return done;
}

bool devices_name(handle name, char text[IBV_SYSFS_NAME_MAX], struct failure *failure)
{
    struct device *device = handles_use(name, KIND_DEVICE, failure);
    if (!device)
        return false;
    strncpy(text, ibv_get_device_name(device->context->device), IBV_SYSFS_NAME_MAX - 1);
    text[IBV_SYSFS_NAME_MAX - 1] = 0;
    handles_release(name);
    return true;
}

// Creates an identifier bound to the same device as id. librdmacm closes the context of a removed device when the last identifier bound
// to the device is destroyed, even if the context is in use.
static struct rdma_cm_id *bind_another(const struct rdma_cm_id *id, struct failure *failure)
{
    struct sockaddr_storage local = id->route.addr.src_storage;
    // Any port. IPv4 and IPv6 addresses have it at the same offset.
    ((struct sockaddr_in *)&local)->sin_port = 0;
    struct rdma_cm_id *bound;
    if (rdma_create_id(NULL, &bound, NULL, RDMA_PS_TCP)) {
        fail_system(failure, "rdma_create_id", errno);
        return NULL;
    }
    if (rdma_bind_addr(bound, (struct sockaddr *)&local))
        fail_system(failure, "rdma_bind_addr", errno);
    else if (bound->verbs != id->verbs)
        fail_system(failure, "rdma_bind_addr", ENODEV);
    else
        return bound;
    rdma_destroy_id(bound);
    return NULL;
}

// The caller holds the mutex and uses the poller.
static bool open_device(
    const struct rdma_cm_id *id, handle poller_name, struct poller *poller, handle *opened, struct failure *failure)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return fail_system(failure, "calloc", ENOMEM);
    *device = (struct device){.context = id->verbs, .poller_name = poller_name, .poller = poller};
    device->last_event = &device->first_event;
    device->arrivals = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (device->arrivals < 0) {
        fail_system(failure, "eventfd", errno);
        goto undo;
    }
    device->bound = bind_another(id, failure);
    if (!device->bound)
        goto undo;
    const handle parents[HANDLE_PARENTS] = {poller_name};
    if (!handles_add(KIND_DEVICE, device, parents, &device->name, failure))
        goto undo;
    if (!poller_watch(poller, device->arrivals, device->name, failure))
        goto unname;
    if (!poller_watch(poller, device->context->async_fd, device->name, failure))
        goto unname;
    device->next = open_devices;
    open_devices = device;
    *opened = device->name;
    return true;
unname:
    // The handle has not been returned to anybody, so nobody uses it.
    handles_remove(device->name);
undo:
    if (device->bound)
        rdma_destroy_id(device->bound);
    if (device->arrivals >= 0)
        close(device->arrivals);
    free(device);
    return false;
}

bool devices_of_identifier(const struct rdma_cm_id *id, handle poller_name, handle *opened, struct failure *failure)
{
    struct poller *poller = handles_use(poller_name, KIND_POLLER, failure);
    if (!poller)
        return false;
    pthread_mutex_lock(&mutex);
    struct device *device = open_devices;
    while (device && (device->context != id->verbs || device->poller_name != poller_name))
        device = device->next;
    bool done = true;
    if (device)
        *opened = device->name;
    else
        done = open_device(id, poller_name, poller, opened, failure);
    pthread_mutex_unlock(&mutex);
    handles_release(poller_name);
    return done;
}

// The kernel removes a device of rxe or siw only when no process has its descriptors open, but librdmacm keeps the context of a removed
// device until it next finds a new device. So this replaces the descriptors by /dev/null, under the same numbers. When librdmacm later
// frees the context, it fails to free a domain that the kernel has already freed, and closes these descriptors.
static int release_context(const struct ibv_context *context)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return errno;
    int error = dup3(nothing, context->cmd_fd, O_CLOEXEC) < 0 || dup3(nothing, context->async_fd, O_CLOEXEC) < 0 ? errno : 0;
    close(nothing);
    return error;
}

// The caller holds the mutex, and there is an event.
static struct device_event take_first(struct device *device)
{
    struct device_event *first = device->first_event;
    const struct device_event taken = *first;
    free(first);
    device->first_event = taken.next;
    if (!taken.next) {
        eventfd_t arrived;
        eventfd_read(device->arrivals, &arrived);
        device->last_event = &device->first_event;
    }
    return taken;
}

bool devices_close(handle name, bool removed, struct failure *failure)
{
    struct device *device = handles_close(name, KIND_DEVICE, "ibv_close_device", failure);
    if (!device)
        return false;
    pthread_mutex_lock(&mutex);
    poller_forget(device->poller, device->context->async_fd);
    poller_forget(device->poller, device->arrivals);
    removed |= device->removed;
    bool others = false;
    for (struct device *other = open_devices; other; other = other->next) {
        if (other != device && other->context == device->context) {
            other->removed |= removed;
            others = true;
        }
    }
    int error = removed && !others ? release_context(device->context) : 0;
    if (error) {
        pthread_mutex_unlock(&mutex);
        handles_reopen(name);
        return fail_system(failure, "dup3", error);
    }
    struct device **link = &open_devices;
    while (*link != device)
        link = &(*link)->next;
    *link = device->next;
    while (device->first_event)
        take_first(device);
    pthread_mutex_unlock(&mutex);
    close(device->arrivals);
    rdma_destroy_id(device->bound);
    free(device->spare);
    free(device);
    handles_remove(name);
    return true;
}

// The object of an event exists until the event is acknowledged, because destroying it waits for that.
static handle subject_of(const struct ibv_async_event *event)
{
    switch (event->event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
        return handles_kept(&event->element.qp->qp_context);
    case IBV_EVENT_CQ_ERR:
        return handles_kept(&event->element.cq->cq_context);
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
        return handles_kept(&event->element.srq->srq_context);
    default:
        return 0;
    }
}

// Allocates room for one event in each device handle of a context. The caller holds the mutex.
static bool allocate_spare_events(const struct ibv_context *context)
{
    for (struct device *device = open_devices; device; device = device->next) {
        if (device->context == context && !device->spare)
            device->spare = malloc(sizeof *device->spare);
        if (device->context == context && !device->spare)
            return false;
    }
    return true;
}

// The caller holds the mutex and has called allocate_spare_events.
static void append(struct device *device, int type, handle subject)
{
    struct device_event *event = device->spare;
    device->spare = NULL;
    *event = (struct device_event){type, subject, NULL};
    if (!device->first_event)
        eventfd_write(device->arrivals, 1);
    *device->last_event = event;
    device->last_event = &event->next;
}

// Reads the next event of a context and passes it to the device handles concerned. librdmacm has one context per device and process, so an
// event can be read only once. The caller holds the mutex. Returns an error number; EAGAIN if there is no event.
static int dispatch_events(struct ibv_context *context)
{
    // First, because an event that was read without room for it would be lost.
    if (!allocate_spare_events(context))
        return ENOMEM;
    struct ibv_async_event event;
    errno = 0;
    if (ibv_get_async_event(context, &event))
        return errno ? errno : EIO;
    handle subject = subject_of(&event);
    for (struct device *device = open_devices; device; device = device->next) {
        if (device->context == context && (!subject || handles_depends(subject, device->name)))
            append(device, (int)event.event_type, subject);
    }
    ibv_ack_async_event(&event);
    return 0;
}

bool devices_next_event(handle name, int *type, int64_t *subject, struct failure *failure)
{
    *type = -1;
    *subject = 0;
    struct device *device = handles_use(name, KIND_DEVICE, failure);
    if (!device)
        return false;
    int error = 0;
    pthread_mutex_lock(&mutex);
    while (!device->first_event && (!error || error == EINTR))
        error = dispatch_events(device->context);
    if (device->first_event) {
        const struct device_event event = take_first(device);
        *type = event.type;
        *subject = event.subject;
        error = 0;
    }
    pthread_mutex_unlock(&mutex);
    // The kernel has removed the device. Its descriptor would end every later wait.
    if (error && error != EAGAIN && error != ENOMEM)
        poller_forget(device->poller, device->context->async_fd);
    handles_release(name);
    return !error || error == EAGAIN || fail_system(failure, "ibv_get_async_event", error);
}
