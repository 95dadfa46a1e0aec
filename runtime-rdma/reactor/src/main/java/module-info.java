// SPDX-License-Identifier: Apache-2.0
/** Event loops, timers and threads of the runtime. Not for users: TCP, software iWARP and verbs run on them. */
// The modules named by the qualified export are built after this one.
@SuppressWarnings("module")
module org.emplace.reactor {
    requires jdk.net;
    requires static org.jspecify;

    exports org.emplace.reactor to
            org.emplace.rpc,
            org.emplace.rdma,
            org.emplace.iwarp,
            org.emplace.verbs,
            org.emplace.rpcrdma;
}
