// SPDX-License-Identifier: Apache-2.0
#include "devices.h"
#include "java.h"

#include <errno.h>
#include <stdlib.h>

static jobjectArray device_names(JNIEnv *env, jclass type)
{
    (void)type;
    struct failure failure;
    char **names;
    int count = 0;
    if (!java_check(env, "deviceNames", devices_names(&names, &count, &failure), &failure))
        return NULL;
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jobjectArray array = string ? (*env)->NewObjectArray(env, count, string, NULL) : NULL;
    for (int i = 0; array && i < count; i++) {
        jstring name = (*env)->NewStringUTF(env, names[i]);
        if (!name) {
            array = NULL;
        } else {
            (*env)->SetObjectArrayElement(env, array, i, name);
            (*env)->DeleteLocalRef(env, name);
        }
    }
    free(names);
    return array;
}

static jlongArray to_array(JNIEnv *env, const int64_t attributes[DEVICE_ATTRIBUTES])
{
    jlongArray array = (*env)->NewLongArray(env, DEVICE_ATTRIBUTES);
    if (array)
        (*env)->SetLongArrayRegion(env, array, 0, DEVICE_ATTRIBUTES, (const jlong *)attributes);
    return array;
}

static jlongArray query_by_name(JNIEnv *env, jclass type, jstring name)
{
    (void)type;
    struct failure failure;
    int64_t attributes[DEVICE_ATTRIBUTES];
    if (!java_check(env, "queryByName", name || fail_argument(&failure, "a name is missing"), &failure))
        return NULL;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (!text)
        return NULL;
    bool done = devices_query_by_name(text, attributes, &failure);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return java_check(env, "queryByName", done, &failure) ? to_array(env, attributes) : NULL;
}

static jlongArray query(JNIEnv *env, jclass type, jlong device)
{
    (void)type;
    struct failure failure;
    int64_t attributes[DEVICE_ATTRIBUTES];
    bool done = java_check(env, "query", devices_query(device, attributes, &failure), &failure);
    return done ? to_array(env, attributes) : NULL;
}

static jstring device_name(JNIEnv *env, jclass type, jlong device)
{
    (void)type;
    struct failure failure;
    char name[IBV_SYSFS_NAME_MAX];
    bool done = java_check(env, "deviceName", devices_name(device, name, &failure), &failure);
    return done ? (*env)->NewStringUTF(env, name) : NULL;
}

CALLING(close_device, "closeDevice", (jlong device, jboolean removed), devices_close(device, removed, &failure))

static jint next_asynchronous_event(JNIEnv *env, jclass type, jlong device, jlongArray subject)
{
    (void)type;
    struct failure failure;
    int event = -1;
    jlong found = 0;
    if (!java_room(env, "nextAsynchronousEvent", subject, 1))
        return -1;
    bool done = devices_next_event(device, &event, &found, &failure);
    if (java_check(env, "nextAsynchronousEvent", done, &failure))
        (*env)->SetLongArrayRegion(env, subject, 0, 1, &found);
    return event;
}

MAKING(allocate_domain, "allocateDomain", (jlong device), memory_allocate_domain(device, &made, &failure))
CALLING(deallocate_domain, "deallocateDomain", (jlong domain), memory_deallocate_domain(domain, &failure))
MAKING(create_completion_channel, "createCompletionChannel", (jlong device, jlong poller),
    completions_create_channel(device, poller, &made, &failure))

CALLING(destroy_completion_channel, "destroyCompletionChannel", (jlong channel),
    completions_destroy_channel(channel, &failure))

static jint next_completion_events(JNIEnv *env, jclass type, jlong channel, jlongArray queues)
{
    (void)type;
    struct failure failure;
    enum { LARGEST = 64 };
    jlong found[LARGEST];
    int count = 0;
    if (!java_room(env, "nextCompletionEvents", queues, 1))
        return 0;
    jsize room = (*env)->GetArrayLength(env, queues);
    bool done = completions_next_events(channel, found, room < LARGEST ? room : LARGEST, &count, &failure);
    if (java_check(env, "nextCompletionEvents", done, &failure))
        (*env)->SetLongArrayRegion(env, queues, 0, count, found);
    return count;
}

static jlong create_completion_queue(
    JNIEnv *env, jclass type, jlong device, jlong channel, jint entries, jobject completions)
{
    (void)type;
    struct failure failure;
    handle queue = 0;
    struct memory memory = java_memory(env, "createCompletionQueue", completions);
    if (!memory.address)
        return 0;
    jobject keeper = (*env)->NewGlobalRef(env, completions);
    bool done = keeper || fail_system(&failure, "NewGlobalRef", ENOMEM);
    done = done && completions_create_queue(device, channel, entries, memory.address, memory.length, keeper, &queue, &failure);
    if (!done)
        (*env)->DeleteGlobalRef(env, keeper);
    java_check(env, "createCompletionQueue", done, &failure);
    return queue;
}

static void destroy_completion_queue(JNIEnv *env, jclass type, jlong queue)
{
    (void)type;
    struct failure failure;
    void *keeper = NULL;
    bool done = completions_destroy_queue(queue, &keeper, &failure);
    (*env)->DeleteGlobalRef(env, keeper);
    java_check(env, "destroyCompletionQueue", done, &failure);
}

CALLING(request_notification, "requestNotification", (jlong queue), completions_request_notification(queue, &failure))
MAKING(create_shared_receive_queue, "createSharedReceiveQueue", (jlong domain, jlong completion_queue, jint requests),
    queue_pairs_create_shared_receive_queue(domain, completion_queue, requests, &made, &failure))

CALLING(destroy_shared_receive_queue, "destroySharedReceiveQueue", (jlong queue),
    queue_pairs_destroy_shared_receive_queue(queue, &failure))

static jlong create_queue_pair(JNIEnv *env, jclass type, jlong id, jlong domain, jlong send_completions,
    jlong receive_completions, jlong shared_receive_queue, jintArray capacities)
{
    (void)type;
    struct failure failure;
    jint values[CAPACITIES];
    handle created = 0;
    if (!java_room(env, "createQueuePair", capacities, CAPACITIES))
        return 0;
    (*env)->GetIntArrayRegion(env, capacities, 0, CAPACITIES, values);
    bool done = queue_pairs_create(
        id, domain, send_completions, receive_completions, shared_receive_queue, values, &created, &failure);
    if (java_check(env, "createQueuePair", done, &failure))
        (*env)->SetIntArrayRegion(env, capacities, 0, CAPACITIES, values);
    return created;
}

CALLING(destroy_queue_pair, "destroyQueuePair", (jlong queue_pair), queue_pairs_destroy(queue_pair, &failure))

static jint queue_pair_number(JNIEnv *env, jclass type, jlong queue_pair)
{
    (void)type;
    struct failure failure;
    uint32_t number = 0;
    java_check(env, "queuePairNumber", queue_pairs_number(queue_pair, &number, &failure), &failure);
    return (jint)number;
}

static jlong address(JNIEnv *env, jclass type, jobject buffer)
{
    (void)type;
    return (jlong)(intptr_t)java_memory(env, "address", buffer).address;
}

// "register" is a keyword of C.
static jlong register_memory(
    JNIEnv *env, jclass type, jlong domain, jobject buffer, jint offset, jint length, jint access, jintArray keys)
{
    (void)type;
    struct failure failure;
    uint32_t found[2];
    handle region = 0;
    struct memory memory = java_memory(env, "register", buffer);
    if (!memory.address || !java_room(env, "register", keys, 2))
        return 0;
    jobject keeper = (*env)->NewGlobalRef(env, buffer);
    bool inside = offset >= 0 && length > 0 && (size_t)offset + (size_t)length <= memory.length;
    bool done = inside ? keeper || fail_system(&failure, "NewGlobalRef", ENOMEM)
                       : fail_argument(&failure, "the range is empty, or not within the buffer");
    done = done && memory_register(domain, (char *)memory.address + offset, (size_t)length, access, keeper, &region, &found[0],
                       &found[1], &failure);
    if (!done)
        (*env)->DeleteGlobalRef(env, keeper);
    if (java_check(env, "register", done, &failure))
        (*env)->SetIntArrayRegion(env, keys, 0, 2, (const jint *)found);
    return region;
}

static void deregister(JNIEnv *env, jclass type, jlong region)
{
    (void)type;
    struct failure failure;
    void *keeper = NULL;
    bool done = memory_deregister(region, &keeper, &failure);
    (*env)->DeleteGlobalRef(env, keeper);
    java_check(env, "deregister", done, &failure);
}

static jlong allocate_window(JNIEnv *env, jclass type, jlong domain, jintArray key)
{
    (void)type;
    struct failure failure;
    uint32_t found = 0;
    handle window = 0;
    if (!java_room(env, "allocateWindow", key, 1))
        return 0;
    bool done = memory_allocate_window(domain, &window, &found, &failure);
    if (java_check(env, "allocateWindow", done, &failure))
        (*env)->SetIntArrayRegion(env, key, 0, 1, (const jint *)&found);
    return window;
}

CALLING(deallocate_window, "deallocateWindow", (jlong window), memory_deallocate_window(window, &failure))

static jint poll_completions(JNIEnv *env, jclass type, jlong queue)
{
    (void)type;
    struct failure failure;
    int count = 0;
    bool unsuccessful = false;
    java_check(env, "poll", completions_poll(queue, &count, &unsuccessful, &failure), &failure);
    return unsuccessful ? -1 - count : count;
}

// Defines a native method that posts requests to a queue.
#define POSTING(name, method, function) \
    static jint name(JNIEnv *env, jclass type, jlong queue, jobject requests, jint count) \
    { \
        (void)type; \
        struct failure failure; \
        int taken = 0; \
        struct memory memory = java_memory(env, method, requests); \
        if (memory.address) \
            java_check(env, method, function(queue, memory.address, memory.length, count, &taken, &failure), &failure); \
        return taken; \
    }

POSTING(post_send, "postSend", work_post_send)
POSTING(post_receive, "postReceive", work_post_receive)
POSTING(post_shared_receive, "postSharedReceive", work_post_shared_receive)

bool libibverbs_methods(JNIEnv *env)
{
    static const JNINativeMethod methods[] = {
        METHOD("deviceNames", "()[Ljava/lang/String;", device_names),
        METHOD("queryByName", "(Ljava/lang/String;)[J", query_by_name),
        METHOD("query", "(J)[J", query),
        METHOD("deviceName", "(J)Ljava/lang/String;", device_name),
        METHOD("closeDevice", "(JZ)V", close_device),
        METHOD("nextAsynchronousEvent", "(J[J)I", next_asynchronous_event),
        METHOD("allocateDomain", "(J)J", allocate_domain),
        METHOD("deallocateDomain", "(J)V", deallocate_domain),
        METHOD("createCompletionChannel", "(JJ)J", create_completion_channel),
        METHOD("destroyCompletionChannel", "(J)V", destroy_completion_channel),
        METHOD("nextCompletionEvents", "(J[J)I", next_completion_events),
        METHOD("createCompletionQueue", "(JJILjava/nio/ByteBuffer;)J", create_completion_queue),
        METHOD("destroyCompletionQueue", "(J)V", destroy_completion_queue),
        METHOD("requestNotification", "(J)V", request_notification),
        METHOD("poll", "(J)I", poll_completions),
        METHOD("createSharedReceiveQueue", "(JJI)J", create_shared_receive_queue),
        METHOD("destroySharedReceiveQueue", "(J)V", destroy_shared_receive_queue),
        METHOD("createQueuePair", "(JJJJJ[I)J", create_queue_pair),
        METHOD("destroyQueuePair", "(J)V", destroy_queue_pair),
        METHOD("queuePairNumber", "(J)I", queue_pair_number),
        METHOD("postSend", "(JLjava/nio/ByteBuffer;I)I", post_send),
        METHOD("postReceive", "(JLjava/nio/ByteBuffer;I)I", post_receive),
        METHOD("postSharedReceive", "(JLjava/nio/ByteBuffer;I)I", post_shared_receive),
        METHOD("address", "(Ljava/nio/ByteBuffer;)J", address),
        METHOD("register", "(JLjava/nio/ByteBuffer;III[I)J", register_memory),
        METHOD("deregister", "(J)V", deregister),
        METHOD("allocateWindow", "(J[I)J", allocate_window),
        METHOD("deallocateWindow", "(J)V", deallocate_window),
    };
    return java_register(env, PACKAGE "Libibverbs", methods, COUNT(methods));
}
