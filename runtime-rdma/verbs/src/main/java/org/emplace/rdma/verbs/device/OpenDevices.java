// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.provider.RdmaCounters;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.VerbsRegion;

/** The devices that a provider has opened, each at its first connection. Used on the loop unless a method says otherwise. */
public final class OpenDevices {
    private final CompletionLoop loop;
    private final RdmaCounters counters;
    private final Map<Long, VerbsDevice> open = new ConcurrentHashMap<>();

    /** Starts without devices. */
    public OpenDevices(CompletionLoop loop, RdmaCounters counters) {
        this.loop = loop;
        this.counters = counters;
    }

    /** The device that a connection identifier is bound to, opened at the first call. */
    public VerbsDevice of(long id) throws NativeException, RdmaException {
        long handle = Librdmacm.device(id, loop.poller());
        VerbsDevice known = open.get(handle);
        if (known == null) {
            known = VerbsDevice.open(handle, loop, counters, this::close);
            open.put(handle, known);
        }
        return known;
    }

    /** On any thread: registers a region with each device whose connections share a protection domain, so that a failure shows early. */
    public void registerEarly(VerbsRegion region) throws RdmaException {
        for (VerbsDevice device : open.values()) {
            device.registerEarly(region);
        }
    }

    private void close(VerbsDevice device) {
        if (open.remove(device.handle(), device)) {
            device.close();
        }
    }

    /** Closes all devices. Their queue pairs must have been destroyed. */
    public void closeAll() {
        open.values().forEach(this::close);
    }
}
