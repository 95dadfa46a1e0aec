// SPDX-License-Identifier: Apache-2.0
/**
 * RPC over TCP and over RDMA. Users see {@link org.emplace.rpc}; {@link org.emplace.rpc.transport}, {@link org.emplace.rdma} and
 * {@link org.emplace.rdma.provider} are for those who bring a transport or an RDMA provider of their own.
 */
// The verbs module is not known where this one is compiled.
@SuppressWarnings("module")
module org.emplace.core {
    requires transitive org.emplace.xdr;
    requires jdk.jfr;
    // Not transitive, or every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace.rdma;
    exports org.emplace.rdma.provider;
    exports org.emplace.reactor to
            org.emplace.verbs;
    exports org.emplace.rpc;
    exports org.emplace.rpc.transport;

    uses org.emplace.rdma.RdmaProviderFactory;
    uses org.emplace.rpc.transport.RpcTransport;

    provides org.emplace.rdma.RdmaProviderFactory with
            org.emplace.rdma.iwarp.IwarpProviderFactory;
    provides org.emplace.rpc.transport.RpcTransport with
            org.emplace.rpc.tcp.TcpTransport,
            org.emplace.rpcrdma.RdmaTransport;
}
