// SPDX-License-Identifier: Apache-2.0
// What all native methods share: exceptions, buffers, arrays.
#ifndef EMPLACE_JAVA_H
#define EMPLACE_JAVA_H

#include "handles.h"

#include <jni.h>

// Throws what a failure is to Java, if the call was none that is done: NativeException, IllegalStateException or
// IllegalArgumentException. Returns whether it is done.
bool java_check(JNIEnv *env, const char *method, bool done, const struct failure *failure);

// A direct buffer's memory; the address is null, and an IllegalArgumentException thrown, if it is not direct.
struct memory {
    void *address;
    size_t length;
};
struct memory java_memory(JNIEnv *env, const char *method, jobject buffer);

// Copies an array to room for capacity bytes; throws and is false if it does not fit.
bool java_bytes(JNIEnv *env, const char *method, jbyteArray array, void *room, size_t capacity, size_t *length);

// Whether an array has room for so many elements; throws if not. To be asked before anything is made that would be lost.
bool java_room(JNIEnv *env, const char *method, jarray array, jsize count);

// The methods of the classes; false with an exception thrown.
bool poller_methods(JNIEnv *env);
bool layout_methods(JNIEnv *env);
bool librdmacm_methods(JNIEnv *env);
bool libibverbs_methods(JNIEnv *env);

bool java_register(JNIEnv *env, const char *type, const JNINativeMethod *methods, jint count);

// Defines a native method that has a function of the core do something with one object, and returns nothing.
#define ON_OBJECT(name, method, function) \
    static void name(JNIEnv *env, jclass type, jlong object) \
    { \
        (void)type; \
        struct failure failure; \
        java_check(env, method, function(object, &failure), &failure); \
    }

// Defines a native method that has a function of the core make an object that belongs to another, and returns its handle.
#define MAKING_OBJECT(name, method, function) \
    static jlong name(JNIEnv *env, jclass type, jlong owner) \
    { \
        (void)type; \
        struct failure failure; \
        handle made = 0; \
        java_check(env, method, function(owner, &made, &failure), &failure); \
        return made; \
    }

#define PACKAGE "org/emplace/rdma/verbs/jni/"
#define COUNT(array) ((jint)(sizeof(array) / sizeof *(array)))
#define METHOD(name, signature, function) {(char *)(name), (char *)(signature), (void *)(intptr_t)(function)}

#endif
