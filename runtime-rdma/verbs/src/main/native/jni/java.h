// SPDX-License-Identifier: Apache-2.0
// Exceptions, buffers and arrays for all native methods.
#ifndef EMPLACE_JAVA_H
#define EMPLACE_JAVA_H

#include "handles.h"

#include <jni.h>

// Throws the exception for a failure unless done: NativeException, IllegalStateException or IllegalArgumentException. Returns done.
bool java_check(JNIEnv *env, const char *method, bool done, const struct failure *failure);

// The memory of a direct buffer. If the buffer is not direct, throws IllegalArgumentException, and the address is null.
struct memory {
    void *address;
    size_t length;
};
struct memory java_memory(JNIEnv *env, const char *method, jobject buffer);

// Copies an array to capacity bytes at room. If it does not fit, throws and returns false.
bool java_bytes(JNIEnv *env, const char *method, jbyteArray array, void *room, size_t capacity, size_t *length);

// Whether an array has room for count elements; throws if not. Check this before creating an object that would be leaked.
bool java_room(JNIEnv *env, const char *method, jarray array, jsize count);

// Register the native methods of a class. On failure they throw and return false.
bool librdmacm_methods(JNIEnv *env);
bool libibverbs_methods(JNIEnv *env);

bool java_register(JNIEnv *env, const char *type, const JNINativeMethod *methods, jint count);

#define PARAMETERS(...) __VA_ARGS__

// Defines a native method that makes a call and returns nothing. The call may use the parameters and &failure.
#define CALLING(name, method, parameters, call) \
    static void name(JNIEnv *env, jclass type, PARAMETERS parameters) \
    { \
        (void)type; \
        struct failure failure; \
        java_check(env, method, call, &failure); \
    }

// Defines a native method that makes a call which sets made, the handle of a new object, and returns that handle.
#define MAKING(name, method, parameters, call) \
    static jlong name(JNIEnv *env, jclass type, PARAMETERS parameters) \
    { \
        (void)type; \
        struct failure failure; \
        handle made = 0; \
        java_check(env, method, call, &failure); \
        return made; \
    }

#define PACKAGE "org/emplace/rdma/verbs/jni/"
#define COUNT(array) ((jint)(sizeof(array) / sizeof *(array)))
#define METHOD(name, signature, function) {(char *)(name), (char *)(signature), (void *)(intptr_t)(function)}

#endif
