// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.DeviceDescription;
import org.emplace.rdma.DeviceDescription.Capability;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;

/** Describes this machine's RDMA devices for display to users. */
final class DeviceDescriptions {
    private DeviceDescriptions() {}

    static List<DeviceDescription> describe() throws RdmaException {
        try {
            List<DeviceDescription> descriptions = new ArrayList<>();
            List<String> driven = List.of(Libibverbs.deviceNames());
            driven.forEach(name -> descriptions.add(describe(name)));
            DeviceFiles.names().stream()
                    .filter(name -> !driven.contains(name))
                    .forEach(name -> descriptions.add(unusable(
                            name,
                            obstacle(name).orElse("libibverbs has no driver for it (Debian: ibverbs-providers)"))));
            return descriptions;
        } catch (NativeException e) {
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: the devices cannot be listed: " + e.getMessage(), e);
        }
    }

    private static DeviceDescription describe(String name) {
        try {
            DeviceCapabilities device = DeviceCapabilities.of(name);
            return new DeviceDescription(
                    name,
                    device.transport(),
                    device.isActive() ? "active" : "down",
                    List.copyOf(DeviceFiles.addresses(name)),
                    List.of(
                            new Capability(
                                    "remote access", device.bindsWindows() ? "by memory windows" : "by registration"),
                            new Capability("memory windows", device.typeTwoWindows() ? "type 2" : "none"),
                            new Capability("remote invalidation", device.invalidation() ? "both ways" : "none"),
                            new Capability(
                                    "shared receive queue",
                                    device.sharesReceives() ? "yes, " + device.sharedReceives() : "not used"),
                            new Capability(
                                    "outstanding Reads",
                                    device.outboundReads() + " out, " + device.inboundReads() + " in"),
                            new Capability("work requests", Integer.toString(device.workRequests())),
                            new Capability("scatter/gather elements", Integer.toString(device.elements()))));
        } catch (NativeException e) {
            return unusable(name, obstacle(name).orElse(String.valueOf(e.getMessage())));
        }
    }

    private static DeviceDescription unusable(String name, String why) {
        return new DeviceDescription(
                name, "unknown", "unusable: " + why, List.copyOf(DeviceFiles.addresses(name)), List.of());
    }

    /** Why a device cannot be used, if the user can do something about it. */
    private static Optional<String> obstacle(String name) {
        return DeviceFiles.node(name)
                .map(DeviceFiles::notPermitted)
                .orElse(Optional.of("the kernel has made no node for it in /dev/infiniband"));
    }
}
