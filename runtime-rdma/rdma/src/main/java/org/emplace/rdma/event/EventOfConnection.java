// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Event;
import jdk.jfr.Label;

/** What one connection does: which one it is. */
public abstract class EventOfConnection extends Event {
    @Label("Provider")
    public String provider = "";

    @Label("Local Address")
    public String local = "";

    @Label("Remote Address")
    public String remote = "";

    /** Makes this one of the same connection as another. */
    public void of(EventOfConnection other) {
        provider = other.provider;
        local = other.local;
        remote = other.remote;
    }
}
