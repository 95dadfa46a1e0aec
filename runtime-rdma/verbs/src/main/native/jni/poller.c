// SPDX-License-Identifier: Apache-2.0
#include "poller.h"
#include "java.h"

static jlong create(JNIEnv *env, jclass type)
{
    (void)type;
    struct failure failure;
    handle created = 0;
    java_check(env, "create", poller_create(&created, &failure), &failure);
    return created;
}

ON_OBJECT(destroy, "destroy", poller_destroy)

ON_OBJECT(wake, "wake", poller_wake)

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

bool poller_methods(JNIEnv *env)
{
    static const JNINativeMethod methods[] = {
        METHOD("create", "()J", create),
        METHOD("destroy", "(J)V", destroy),
        METHOD("wake", "(J)V", wake),
        METHOD("await", "(JI[J)I", await_ready),
    };
    return java_register(env, PACKAGE "Poller", methods, COUNT(methods));
}
