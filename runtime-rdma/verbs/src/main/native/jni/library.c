// SPDX-License-Identifier: Apache-2.0
#include "java.h"

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    // An exception that is pending then tells what is wrong.
    bool registered = poller_methods(env) && layout_methods(env) && librdmacm_methods(env) && libibverbs_methods(env);
    return registered ? JNI_VERSION_10 : JNI_ERR;
}
