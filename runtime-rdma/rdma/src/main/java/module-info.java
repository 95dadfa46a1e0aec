// SPDX-License-Identifier: Apache-2.0
/** What RPC-over-RDMA needs of an RDMA provider, and what providers share. Knows no RPC. */
module org.emplace.rdma {
    requires java.management;
    requires jdk.jfr;
    // Not transitive, or every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace.rdma;
    exports org.emplace.rdma.provider;

    uses org.emplace.rdma.RdmaProviderFactory;
}
