// SPDX-License-Identifier: Apache-2.0
/** The interface between RPC-over-RDMA and RDMA providers, and what providers share. Independent of RPC. */
// The modules named by the qualified exports are built after this one.
@SuppressWarnings("module")
module org.emplace.rdma {
    requires org.emplace.reactor;
    requires java.management;
    requires jdk.jfr;
    // Not transitive: otherwise every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace.rdma to
            org.emplace.iwarp,
            org.emplace.verbs,
            org.emplace.rpcrdma;
    exports org.emplace.rdma.provider to
            org.emplace.iwarp,
            org.emplace.verbs;

    uses org.emplace.rdma.RdmaProviderFactory;
}
