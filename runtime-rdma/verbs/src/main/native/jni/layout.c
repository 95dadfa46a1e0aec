// SPDX-License-Identifier: Apache-2.0
#include "completions.h"
#include "connections.h"
#include "java.h"
#include "work.h"

// In the order of the Java class NativeLayout, each beginning with its size.
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

static jintArray of(JNIEnv *env, jclass type, jint structure)
{
    (void)type;
    struct failure failure;
    bool known = structure >= 0 && structure < COUNT(layouts);
    if (!java_check(env, "of", known || fail_argument(&failure, "there is no such structure"), &failure))
        return NULL;
    const struct layout *layout = &layouts[structure];
    jintArray numbers = (*env)->NewIntArray(env, layout->count);
    if (numbers)
        (*env)->SetIntArrayRegion(env, numbers, 0, layout->count, layout->numbers);
    return numbers;
}

bool layout_methods(JNIEnv *env)
{
    static const JNINativeMethod methods[] = {METHOD("of", "(I)[I", of)};
    return java_register(env, PACKAGE "NativeLayout", methods, COUNT(methods));
}
