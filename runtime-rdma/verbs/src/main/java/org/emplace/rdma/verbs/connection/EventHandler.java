// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

/** Handles the events of a connection identifier. Called on the loop. */
interface EventHandler {
    /** Ignores all events, for an identifier that is destroyed at once or gets another handler. */
    EventHandler NONE = new EventHandler() {
        @Override
        public void event(CmEvent event) {}

        @Override
        public void shutDown() {}
    };

    /** Handles an event of the identifier. */
    void event(CmEvent event);

    /** Called when the provider closes: ends at once and destroys the identifier. */
    void shutDown();
}
