// SPDX-License-Identifier: Apache-2.0
#include "work.h"
#include "completions.h"
#include "java.h"

jint libibverbs_poll(JNIEnv *env, jclass type, jlong queue, jobject completions)
{
    (void)type;
    struct failure failure;
    int count = 0;
    struct memory memory = java_memory(env, "poll", completions);
    if (memory.address)
        java_check(env, "poll", completions_poll(queue, memory.address, memory.length, &count, &failure), &failure);
    return count;
}

typedef bool post(handle, const void *, size_t, int, int *, struct failure *);

static jint post_by(JNIEnv *env, const char *method, post *post, jlong queue, jobject requests, jint count)
{
    struct failure failure;
    int taken = 0;
    struct memory memory = java_memory(env, method, requests);
    if (memory.address)
        java_check(env, method, post(queue, memory.address, memory.length, count, &taken, &failure), &failure);
    return taken;
}

jint libibverbs_post_send(JNIEnv *env, jclass type, jlong queue_pair, jobject requests, jint count)
{
    (void)type;
    return post_by(env, "postSend", work_post_send, queue_pair, requests, count);
}

jint libibverbs_post_receive(JNIEnv *env, jclass type, jlong queue_pair, jobject requests, jint count)
{
    (void)type;
    return post_by(env, "postReceive", work_post_receive, queue_pair, requests, count);
}

jint libibverbs_post_shared_receive(JNIEnv *env, jclass type, jlong queue, jobject requests, jint count)
{
    (void)type;
    return post_by(env, "postSharedReceive", work_post_shared_receive, queue, requests, count);
}
