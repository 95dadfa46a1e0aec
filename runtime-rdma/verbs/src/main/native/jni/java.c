// SPDX-License-Identifier: Apache-2.0
#include "java.h"
#include "connections.h"
#include "devices.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 160 };

static void throw_message(JNIEnv *env, const char *type, const char *method, const char *before, const char *subject)
{
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: %s%s", method, before, subject);
    jclass class = (*env)->FindClass(env, type);
    if (class)
        (*env)->ThrowNew(env, class, message);
}

static void throw_native(JNIEnv *env, const struct failure *failure)
{
    char room[MESSAGE_SIZE];
    const char *description = strerror_r(failure->error, room, sizeof room);
    jclass class = (*env)->FindClass(env, PACKAGE "NativeException");
    if (!class)
        return;
    jmethodID constructor =
        (*env)->GetMethodID(env, class, "<init>", "(Ljava/lang/String;ILjava/lang/String;)V");
    jstring function = constructor ? (*env)->NewStringUTF(env, failure->subject) : NULL;
    jstring text = function ? (*env)->NewStringUTF(env, description) : NULL;
    jobject exception = text ? (*env)->NewObject(env, class, constructor, function, (jint)failure->error, text) : NULL;
    if (exception)
        (*env)->Throw(env, exception);
}

static void throw_argument(JNIEnv *env, const char *method, const char *sentence)
{
    throw_message(env, "java/lang/IllegalArgumentException", method, "", sentence);
}

bool java_check(JNIEnv *env, const char *method, bool done, const struct failure *failure)
{
    if (done)
        return true;
    switch (failure->kind) {
    case FAILURE_SYSTEM:
        throw_native(env, failure);
        break;
    case FAILURE_HANDLE:
        throw_message(env, "java/lang/IllegalStateException", method, "the handle names no open ", failure->subject);
        break;
    case FAILURE_ARGUMENT:
        throw_argument(env, method, failure->subject);
        break;
    }
    return false;
}

struct memory java_memory(JNIEnv *env, const char *method, jobject buffer)
{
    struct memory memory = {NULL, 0};
    if (buffer)
        memory.address = (*env)->GetDirectBufferAddress(env, buffer);
    if (memory.address)
        memory.length = (size_t)(*env)->GetDirectBufferCapacity(env, buffer);
    else
        throw_argument(env, method, "the buffer is not a direct one");
    return memory;
}

bool java_bytes(JNIEnv *env, const char *method, jbyteArray array, void *room, size_t capacity, size_t *length)
{
    jsize size = array ? (*env)->GetArrayLength(env, array) : 0;
    if (!array || (size_t)size > capacity) {
        throw_argument(env, method, array ? "an array of bytes is too long" : "an array of bytes is missing");
        return false;
    }
    (*env)->GetByteArrayRegion(env, array, 0, size, room);
    *length = (size_t)size;
    return true;
}

bool java_room(JNIEnv *env, const char *method, jarray array, jsize count)
{
    if (array && (*env)->GetArrayLength(env, array) >= count)
        return true;
    throw_argument(env, method, "an array is too short");
    return false;
}

bool java_register(JNIEnv *env, const char *type, const JNINativeMethod *methods, jint count)
{
    jclass class = (*env)->FindClass(env, type);
    return class && !(*env)->RegisterNatives(env, class, methods, count);
}

// The structures that Java and C exchange, in the order of the Java class NativeLibrary, each beginning with its size.
static const jint event[] = {
    sizeof(struct event),
    offsetof(struct event, id),
    offsetof(struct event, listener),
    offsetof(struct event, type),
    offsetof(struct event, status),
    offsetof(struct event, responder_resources),
    offsetof(struct event, initiator_depth),
    offsetof(struct event, private_data_length),
};
static const jint send_request[] = {
    sizeof(struct send_request),
    offsetof(struct send_request, id),
    offsetof(struct send_request, remote_address),
    offsetof(struct send_request, window),
    offsetof(struct send_request, region),
    offsetof(struct send_request, opcode),
    offsetof(struct send_request, flags),
    offsetof(struct send_request, key),
    offsetof(struct send_request, elements),
    offsetof(struct send_request, access),
};
static const jint scatter_gather[] = {
    sizeof(struct scatter_gather),
    offsetof(struct scatter_gather, address),
    offsetof(struct scatter_gather, length),
    offsetof(struct scatter_gather, local_key),
};
static const jint receive_request[] = {
    sizeof(struct receive_request),
    offsetof(struct receive_request, id),
    offsetof(struct receive_request, elements),
};
static const jint completion[] = {
    sizeof(struct ibv_wc),
    offsetof(struct ibv_wc, wr_id),
    offsetof(struct ibv_wc, status),
    offsetof(struct ibv_wc, opcode),
    offsetof(struct ibv_wc, byte_len),
    offsetof(struct ibv_wc, wc_flags),
    offsetof(struct ibv_wc, invalidated_rkey),
    offsetof(struct ibv_wc, vendor_err),
    offsetof(struct ibv_wc, qp_num),
};

static const struct layout {
    const jint *numbers;
    jint count;
} layouts[] = {
    {event, COUNT(event)},
    {send_request, COUNT(send_request)},
    {scatter_gather, COUNT(scatter_gather)},
    {receive_request, COUNT(receive_request)},
    {completion, COUNT(completion)},
};

static jintArray layout_of(JNIEnv *env, jclass type, jint structure)
{
    (void)type;
    struct failure failure;
    bool known = structure >= 0 && structure < COUNT(layouts);
    if (!java_check(env, "layout", known || fail_argument(&failure, "there is no such structure"), &failure))
        return NULL;
    const struct layout *layout = &layouts[structure];
    jintArray numbers = (*env)->NewIntArray(env, layout->count);
    if (numbers)
        (*env)->SetIntArrayRegion(env, numbers, 0, layout->count, layout->numbers);
    return numbers;
}

static jlong create(JNIEnv *env, jclass type)
{
    (void)type;
    struct failure failure;
    handle created = 0;
    java_check(env, "create", poller_create(&created, &failure), &failure);
    return created;
}

CALLING(destroy, "destroy", (jlong poller), poller_destroy(poller, &failure))
CALLING(wake, "wake", (jlong poller), poller_wake(poller, &failure))

static jint await_ready(JNIEnv *env, jclass type, jlong poller, jint timeout_millis, jlongArray ready)
{
    (void)type;
    struct failure failure;
    enum { LARGEST = 64 };
    jlong found[LARGEST];
    int count = 0;
    if (!java_room(env, "await", ready, 1))
        return 0;
    jsize room = (*env)->GetArrayLength(env, ready);
    bool done = poller_await(poller, timeout_millis, found, room < LARGEST ? room : LARGEST, &count, &failure);
    if (java_check(env, "await", done, &failure))
        (*env)->SetLongArrayRegion(env, ready, 0, count, found);
    return count;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    // On failure a Java exception that states the reason is pending.
    static const JNINativeMethod layout[] = {METHOD("layout", "(I)[I", layout_of)};
    static const JNINativeMethod poller[] = {
        METHOD("create", "()J", create),
        METHOD("destroy", "(J)V", destroy),
        METHOD("wake", "(J)V", wake),
        METHOD("await", "(JI[J)I", await_ready),
    };
    bool registered = java_register(env, PACKAGE "NativeLibrary", layout, COUNT(layout))
                      && java_register(env, PACKAGE "Poller", poller, COUNT(poller)) && librdmacm_methods(env)
                      && libibverbs_methods(env);
    return registered ? JNI_VERSION_10 : JNI_ERR;
}
