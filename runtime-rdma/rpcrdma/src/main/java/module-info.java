// SPDX-License-Identifier: Apache-2.0
/** RPC-over-RDMA version 1 as a transport for {@code org.emplace.rpc}. Exports nothing; found by ServiceLoader. */
module org.emplace.rpcrdma {
    requires org.emplace.rdma;
    requires org.emplace.rpc;
    requires static org.jspecify;

    provides org.emplace.rpc.transport.RpcTransport with
            org.emplace.rpcrdma.RdmaTransport;
}
