// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;

/** A listening address of a provider. */
public interface RdmaListener extends AutoCloseable {

    /** The address, with the real port. */
    InetSocketAddress localAddress();

    /** Accepts no more. Connections that stand are not touched, and keep the shared receive queue that they take from. Idempotent. */
    @Override
    void close();
}
