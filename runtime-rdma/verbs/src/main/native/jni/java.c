// SPDX-License-Identifier: Apache-2.0
#include "java.h"

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

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    // On failure a Java exception that states the reason is pending.
    bool registered = poller_methods(env) && layout_methods(env) && librdmacm_methods(env) && libibverbs_methods(env);
    return registered ? JNI_VERSION_10 : JNI_ERR;
}
