// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.DeviceDescription;
import org.emplace.rdma.DeviceDescription.Capability;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/** Opens the verbs provider with {@link VerbsOptions} from system properties. Needs libibverbs, librdmacm and a device that this process may use. */
public final class VerbsProviderFactory implements RdmaProviderFactory {

    @Override
    public String name() {
        return VerbsProvider.NAME;
    }

    @Override
    public Optional<String> obstacle() {
        if (DeviceFiles.names().isEmpty()) {
            return Optional.of("no RDMA device (" + DeviceFiles.DEVICES + " is empty)");
        }
        if (!Files.exists(DeviceFiles.CONNECTION_MANAGER)) {
            return Optional.of("no " + DeviceFiles.CONNECTION_MANAGER + " ('modprobe rdma_ucm' makes it)");
        }
        List<Path> nodes = DeviceFiles.nodes();
        if (nodes.isEmpty()) {
            return Optional.of("no /dev/infiniband/uverbs* ('modprobe ib_uverbs' makes them)");
        }
        return DeviceFiles.notPermitted(DeviceFiles.CONNECTION_MANAGER)
                .or(() -> noneIsPermitted(nodes))
                .or(NativeLibrary::unavailable);
    }

    private static Optional<String> noneIsPermitted(List<Path> nodes) {
        return nodes.stream().anyMatch(node -> DeviceFiles.notPermitted(node).isEmpty())
                ? Optional.empty()
                : DeviceFiles.notPermitted(nodes.get(0));
    }

    @Override
    public List<DeviceDescription> devices() throws RdmaException {
        checkObstacle();
        try {
            List<DeviceDescription> descriptions = new ArrayList<>();
            List<String> driven = List.of(Libibverbs.deviceNames());
            driven.forEach(name -> descriptions.add(describe(name)));
            DeviceFiles.names().stream()
                    .filter(name -> !driven.contains(name))
                    .forEach(name -> descriptions.add(unusable(
                            name,
                            obstacleOf(name).orElse("libibverbs has no driver for it (Debian: ibverbs-providers)"))));
            return descriptions;
        } catch (NativeException e) {
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: the devices cannot be listed: " + e.getMessage(), e);
        }
    }

    @Override
    public RdmaProvider open() throws RdmaException {
        checkObstacle();
        return VerbsProvider.open(VerbsOptions.fromSystemProperties());
    }

    private void checkObstacle() throws RdmaException {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: " + obstacle.get());
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
            return unusable(name, obstacleOf(name).orElse(String.valueOf(e.getMessage())));
        }
    }

    private static DeviceDescription unusable(String name, String why) {
        return new DeviceDescription(
                name, "unknown", "unusable: " + why, List.copyOf(DeviceFiles.addresses(name)), List.of());
    }

    /** Why a device cannot be used, if the user can do something about it. */
    private static Optional<String> obstacleOf(String name) {
        return DeviceFiles.node(name)
                .map(DeviceFiles::notPermitted)
                .orElse(Optional.of("the kernel has made no node for it in /dev/infiniband"));
    }
}
