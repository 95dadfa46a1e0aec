// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;

/**
 * Describes a device for people who choose one.
 *
 * @param name as the system calls it: {@code mlx5_0}, {@code rxe0}; {@code software} for software iWARP
 * @param transport {@code InfiniBand}, {@code RoCE} or {@code iWARP}
 * @param state whether it can be used, in the system's words: {@code active}, {@code down}
 * @param addresses its local addresses, as text; empty if none is configured
 * @param capabilities what it can do, the most important first
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
     * @param name what it is: {@code memory windows}, {@code shared receive queue}, {@code remote invalidation}, {@code inline}, {@code outstanding
     *     Reads}
     * @param value what this device does: {@code type 2B}, {@code yes, 1024}, {@code none}
     */
    public record Capability(String name, String value) {}
}
