// SPDX-License-Identifier: Apache-2.0
/** ONC RPC version 2, with record marking over TCP. Other transports implement {@code org.emplace.rpc.transport}. */
// The module named by the qualified exports is built after this one.
@SuppressWarnings("module")
module org.emplace.rpc {
    requires transitive org.emplace.xdr;
    requires org.emplace.reactor;
    requires java.management;
    requires java.security.jgss;
    requires jdk.jfr;
    // Not transitive: otherwise every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace;
    exports org.emplace.rpc;
    exports org.emplace.rpc.auth;
    exports org.emplace.rpc.auth.gss;
    exports org.emplace.rpc.transport to
            org.emplace.rpcrdma;
    exports org.emplace.rpc.client to
            org.emplace.rpcrdma;
    exports org.emplace.rpc.server to
            org.emplace.rpcrdma;
    exports org.emplace.rpc.limits to
            org.emplace.rpcrdma;
    exports org.emplace.rpc.message to
            org.emplace.rpcrdma;

    uses org.emplace.rpc.transport.RpcTransport.Factory;

    provides org.emplace.rpc.transport.RpcTransport.Factory with
            org.emplace.rpc.tcp.TcpTransport.Factory;
}
