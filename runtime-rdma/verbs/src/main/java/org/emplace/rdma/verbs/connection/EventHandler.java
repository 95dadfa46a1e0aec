// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

/** Whoever a connection identifier belongs to at a time. Called on the loop. */
interface EventHandler {

    /** Something has happened to the identifier. */
    void event(CmEvent event);

    /** The provider is closing: end now, and destroy the identifier. */
    void shutDown();
}
