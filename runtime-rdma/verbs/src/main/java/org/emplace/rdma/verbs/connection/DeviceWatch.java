// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.NativeException;

/**
 * An identifier that stays bound to an open device, to receive the event of its removal: the connection manager reports a removal only to the
 * device's identifiers. The removal waits until every process has closed the device, also those without a connection.
 */
final class DeviceWatch implements ConnectionEvents.Handler {
    private static final System.Logger LOG = System.getLogger(DeviceWatch.class.getName());

    private final VerbsDevice device;
    private final ConnectionId id;

    private DeviceWatch(ConnectionEvents events, VerbsDevice device) throws NativeException {
        this.device = device;
        id = events.newId(this);
    }

    /** On the loop: watches an open device until it is removed or the provider closes. */
    static void begin(ConnectionEvents events, VerbsDevice device, InetSocketAddress local) {
        try {
            new DeviceWatch(events, device).bind(local);
        } catch (NativeException | RdmaException e) {
            LOG.log(
                    Level.DEBUG,
                    device.name() + ": cannot be watched; only its connections will notice its removal",
                    e);
        }
    }

    private void bind(InetSocketAddress local) throws NativeException, RdmaException {
        try {
            id.bind(new InetSocketAddress(local.getAddress(), 0));
        } catch (NativeException e) {
            id.destroy();
            throw e;
        }
    }

    @Override
    public void event(CmEvent event) {
        if (event.type() == CmEvent.Type.DEVICE_REMOVAL) {
            device.remove();
            id.destroy();
        }
    }

    @Override
    public void shutDown() {
        id.destroy();
    }
}
