// SPDX-License-Identifier: Apache-2.0
/** Explains captured RPC-over-RDMA by a protocol's definition and its binding. */
module org.emplace.compiler.capture {
    requires transitive org.emplace.compiler;
    requires static org.jspecify;

    exports org.emplace.compiler.capture;
}
