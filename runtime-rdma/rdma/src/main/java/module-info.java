// SPDX-License-Identifier: Apache-2.0
/** The interface between RPC-over-RDMA and RDMA providers, and what providers share. Independent of RPC. */
module org.emplace.rdma {
    requires java.management;
    requires jdk.jfr;
    // Not transitive: otherwise every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace.rdma;
    exports org.emplace.rdma.provider;

    uses org.emplace.rdma.RdmaProviderFactory;
}
