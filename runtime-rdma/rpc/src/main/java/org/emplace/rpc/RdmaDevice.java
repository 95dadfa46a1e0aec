// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes an RDMA device to a person who chooses one; see {@link org.emplace.RpcRuntime#rdmaDevices}. Immutable: each
 * {@code with} returns another object.
 */
public final class RdmaDevice {
    private final String name;
    private final String transport;
    private final String state;
    private final List<String> addresses;
    private final Map<String, String> capabilities;

    private RdmaDevice(
            String name, String transport, String state, List<String> addresses, Map<String, String> capabilities) {
        this.name = name;
        this.transport = transport;
        this.state = state;
        this.addresses = addresses;
        this.capabilities = capabilities;
    }

    /** A device without addresses and capabilities. */
    public static RdmaDevice of(String name, String transport, String state) {
        return new RdmaDevice(name, transport, state, List.of(), Map.of());
    }

    /** The system's name of the device, such as {@code mlx5_0} or {@code rxe0}; {@code software} for software iWARP. */
    public String name() {
        return name;
    }

    /** {@code InfiniBand}, {@code RoCE} or {@code iWARP}. */
    public String transport() {
        return transport;
    }

    /** The state that the system reports, such as {@code active} or {@code down}. */
    public String state() {
        return state;
    }

    /** The device's local addresses, as text; empty if none is configured. */
    public List<String> addresses() {
        return addresses;
    }

    /** See {@link #addresses}. */
    public RdmaDevice withAddresses(List<String> local) {
        return new RdmaDevice(name, transport, state, List.copyOf(local), capabilities);
    }

    /**
     * What devices differ in, the most important first, such as {@code memory windows} or {@code shared receive queue},
     * with what this device supports, such as {@code type 2B}, {@code yes, 1024} or {@code none}.
     */
    public Map<String, String> capabilities() {
        return capabilities;
    }

    /** See {@link #capabilities}; keeps the order. */
    public RdmaDevice withCapabilities(Map<String, String> supported) {
        return new RdmaDevice(
                name, transport, state, addresses, Collections.unmodifiableMap(new LinkedHashMap<>(supported)));
    }

    @Override
    public String toString() {
        return name + ", " + transport + ", " + state;
    }
}
