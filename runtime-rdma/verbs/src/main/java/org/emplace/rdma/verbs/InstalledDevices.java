// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.emplace.rdma.DeviceDescription;
import org.emplace.rdma.DeviceDescription.Capability;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;

/** Describes the devices of this machine for people. */
final class InstalledDevices {
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private InstalledDevices() {}

    static List<DeviceDescription> describe() throws RdmaException {
        try {
            List<DeviceDescription> descriptions = new ArrayList<>();
            for (String name : Libibverbs.deviceNames()) {
                descriptions.add(describe(name));
            }
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
                    addresses(name),
                    List.of(
                            new Capability(
                                    "remote access", device.bindsWindows() ? "by memory windows" : "by registration"),
                            new Capability("memory windows", device.typeTwoWindows() ? "type 2" : "none"),
                            new Capability("remote invalidation", device.invalidation() ? "both ways" : "none"),
                            new Capability(
                                    "shared receive queue",
                                    device.sharedReceives() > 0 ? "yes, " + device.sharedReceives() : "none"),
                            new Capability(
                                    "outstanding Reads",
                                    device.outboundReads() + " out, " + device.inboundReads() + " in"),
                            new Capability("work requests", Integer.toString(device.workRequests())),
                            new Capability("scatter/gather elements", Integer.toString(device.elements()))));
        } catch (NativeException e) {
            return new DeviceDescription(name, "unknown", "unusable: " + e.getMessage(), List.of(), List.of());
        }
    }

    /** Those of the network interfaces that the device's ports name. */
    private static List<String> addresses(String name) {
        Set<String> addresses = new TreeSet<>();
        try (DirectoryStream<Path> interfaces =
                Files.newDirectoryStream(DEVICES.resolve(name).resolve("ports/1/gid_attrs/ndevs"))) {
            Set<String> networks = new TreeSet<>();
            for (Path entry : interfaces) {
                readInto(networks, entry);
            }
            for (String network : networks) {
                NetworkInterface found = NetworkInterface.getByName(network);
                if (found != null) {
                    found.inetAddresses().forEach(address -> addresses.add(address.getHostAddress()));
                }
            }
        } catch (IOException e) {
            return List.copyOf(addresses);
        }
        return List.copyOf(addresses);
    }

    /** An entry of the table that is not in use refuses to be read. */
    private static void readInto(Set<String> networks, Path entry) {
        try {
            networks.add(Files.readString(entry).trim());
        } catch (IOException unused) {
            System.getLogger(InstalledDevices.class.getName()).log(System.Logger.Level.TRACE, "unused: {0}", entry);
        }
    }
}
