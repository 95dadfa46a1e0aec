// SPDX-License-Identifier: Apache-2.0
#include "connections.h"
#include "java.h"

MAKING(create_event_channel, "createEventChannel", (jlong poller), connections_create_channel(poller, &made, &failure))
CALLING(destroy_event_channel, "destroyEventChannel", (jlong channel), connections_destroy_channel(channel, &failure))

static jboolean next_event(JNIEnv *env, jclass type, jlong channel, jobject event)
{
    (void)type;
    struct failure failure;
    struct memory memory = java_memory(env, "nextEvent", event);
    bool taken = false;
    if (memory.address) {
        bool done = connections_next_event(channel, memory.address, memory.length, &taken, &failure);
        java_check(env, "nextEvent", done, &failure);
    }
    return taken;
}

MAKING(create_id, "createId", (jlong channel), connections_create_id(channel, &made, &failure))
CALLING(destroy_id, "destroyId", (jlong id), connections_destroy_id(id, &failure))

// Room for an address from Java. The function that uses the address checks its length.
struct address {
    struct endpoint endpoint;
    uint8_t bytes[ADDRESS_SIZE];
};

static bool address_of(
    JNIEnv *env, const char *method, jbyteArray bytes, jint scope, jint port, struct address *address)
{
    address->endpoint = (struct endpoint){.address = address->bytes, .scope = (uint32_t)scope, .port = port};
    return java_bytes(env, method, bytes, address->bytes, sizeof address->bytes, &address->endpoint.length);
}

static void bind_id(JNIEnv *env, jclass type, jlong id, jbyteArray bytes, jint scope, jint port)
{
    (void)type;
    struct failure failure;
    struct address local;
    if (address_of(env, "bind", bytes, scope, port, &local))
        java_check(env, "bind", connections_bind(id, &local.endpoint, &failure), &failure);
}

CALLING(listen_id, "listen", (jlong id, jint backlog), connections_listen(id, backlog, &failure))

static void resolve_address(
    JNIEnv *env, jclass type, jlong id, jbyteArray bytes, jint scope, jint port, jint timeout_millis)
{
    (void)type;
    struct failure failure;
    struct address peer;
    if (!address_of(env, "resolveAddress", bytes, scope, port, &peer))
        return;
    bool done = connections_resolve_address(id, &peer.endpoint, timeout_millis, &failure);
    java_check(env, "resolveAddress", done, &failure);
}

CALLING(resolve_route, "resolveRoute", (jlong id, jint timeout_millis),
    connections_resolve_route(id, timeout_millis, &failure))

static void connect_id(JNIEnv *env, jclass type, jlong id, jbyteArray private_data, jint responder_resources,
    jint initiator_depth, jint retries, jint rnr_retries)
{
    (void)type;
    struct failure failure;
    uint8_t data[PRIVATE_DATA_SIZE];
    struct connection_parameters parameters = {data, 0, responder_resources, initiator_depth, retries, rnr_retries};
    if (java_bytes(env, "connect", private_data, data, sizeof data, &parameters.private_data_length))
        java_check(env, "connect", connections_connect(id, &parameters, &failure), &failure);
}

static void accept_id(JNIEnv *env, jclass type, jlong id, jbyteArray private_data, jint responder_resources,
    jint initiator_depth, jint rnr_retries)
{
    (void)type;
    struct failure failure;
    uint8_t data[PRIVATE_DATA_SIZE];
    struct connection_parameters parameters = {data, 0, responder_resources, initiator_depth, 0, rnr_retries};
    if (java_bytes(env, "accept", private_data, data, sizeof data, &parameters.private_data_length))
        java_check(env, "accept", connections_accept(id, &parameters, &failure), &failure);
}

static void reject(JNIEnv *env, jclass type, jlong id, jbyteArray private_data)
{
    (void)type;
    struct failure failure;
    uint8_t data[PRIVATE_DATA_SIZE];
    size_t length;
    if (java_bytes(env, "reject", private_data, data, sizeof data, &length))
        java_check(env, "reject", connections_reject(id, data, length, &failure), &failure);
}

CALLING(disconnect, "disconnect", (jlong id), connections_disconnect(id, &failure))
MAKING(device, "device", (jlong id, jlong poller),
    connections_device(id, poller, &made, &failure))

static jint address(JNIEnv *env, jclass type, jlong id, jboolean peer, jbyteArray bytes)
{
    (void)type;
    struct failure failure;
    uint8_t found[ADDRESS_SIZE];
    int length = 0;
    int port = 0;
    if (!java_room(env, "address", bytes, ADDRESS_SIZE))
        return 0;
    if (!java_check(env, "address", connections_address(id, peer, found, &length, &port, &failure), &failure))
        return 0;
    (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)found);
    return length << 16 | port;
}

bool librdmacm_methods(JNIEnv *env)
{
    static const JNINativeMethod methods[] = {
        METHOD("createEventChannel", "(J)J", create_event_channel),
        METHOD("destroyEventChannel", "(J)V", destroy_event_channel),
        METHOD("nextEvent", "(JLjava/nio/ByteBuffer;)Z", next_event),
        METHOD("createId", "(J)J", create_id),
        METHOD("destroyId", "(J)V", destroy_id),
        METHOD("bind", "(J[BII)V", bind_id),
        METHOD("listen", "(JI)V", listen_id),
        METHOD("resolveAddress", "(J[BIII)V", resolve_address),
        METHOD("resolveRoute", "(JI)V", resolve_route),
        METHOD("connect", "(J[BIIII)V", connect_id),
        METHOD("accept", "(J[BIII)V", accept_id),
        METHOD("reject", "(J[B)V", reject),
        METHOD("disconnect", "(J)V", disconnect),
        METHOD("device", "(JJ)J", device),
        METHOD("address", "(JZ[B)I", address),
    };
    return java_register(env, PACKAGE "Librdmacm", methods, COUNT(methods));
}
