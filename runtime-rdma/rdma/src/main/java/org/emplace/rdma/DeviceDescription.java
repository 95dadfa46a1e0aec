// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/**
 * Describes a device to a person who chooses one.
 *
 * @param name the system's name of the device, such as {@code mlx5_0} or {@code rxe0}; {@code software} for software
 *     iWARP
 * @param transport {@code InfiniBand}, {@code RoCE} or {@code iWARP}
 * @param state the state that the system reports, such as {@code active} or {@code down}
 * @param addresses the device's local addresses, as text; empty if none is configured
 * @param capabilities its capabilities, the most important first
 */
public record DeviceDescription(
        String name, String transport, String state, List<String> addresses, List<Capability> capabilities) {

    /** Copies the lists. */
    public DeviceDescription {
        addresses = List.copyOf(addresses);
        capabilities = List.copyOf(capabilities);
    }

    /**
     * A capability in which devices differ.
     *
     * @param name such as {@code memory windows} or {@code shared receive queue}
     * @param value what this device supports, such as {@code type 2B}, {@code yes, 1024} or {@code none}
     */
    public record Capability(String name, String value) {}
}
