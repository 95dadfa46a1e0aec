// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription.Capability;
import org.emplace.rdma.verbs.device.DeviceCapabilities;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/** Opens the verbs provider with {@link VerbsOptions} from system properties. Needs libibverbs, librdmacm and a device that this process may use. */
public final class VerbsProviderFactory implements RdmaProviderFactory {
    /** The device node of the RDMA connection manager. */
    private static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");

    /** The directory with an entry for each device. */
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private static final Path NODES = Path.of("/dev/infiniband");
    private static final Path NODES_OF_DEVICES = Path.of("/sys/class/infiniband_verbs");
    private static final int ADDRESS_DIGITS = 12;

    @Override
    public String name() {
        return VerbsProvider.NAME;
    }

    @Override
    public Optional<String> unavailableReason() {
        if (deviceNames().isEmpty()) {
            return Optional.of("no RDMA device (" + DEVICES + " is empty)");
        }
        if (!Files.exists(CONNECTION_MANAGER)) {
            return Optional.of("no " + CONNECTION_MANAGER + " ('modprobe rdma_ucm' makes it)");
        }
        List<Path> nodes = nodes();
        if (nodes.isEmpty()) {
            return Optional.of("no /dev/infiniband/uverbs* ('modprobe ib_uverbs' makes them)");
        }
        return notPermitted(CONNECTION_MANAGER).or(() -> noneIsPermitted(nodes)).or(NativeLibrary::unavailable);
    }

    private static Optional<String> noneIsPermitted(List<Path> nodes) {
        return nodes.stream().anyMatch(node -> notPermitted(node).isEmpty())
                ? Optional.empty()
                : notPermitted(nodes.get(0));
    }

    @Override
    public List<DeviceDescription> devices() throws RdmaException {
        checkObstacle();
        try {
            List<DeviceDescription> descriptions = new ArrayList<>();
            List<String> driven = List.of(Libibverbs.deviceNames());
            driven.forEach(name -> descriptions.add(describe(name)));
            deviceNames().stream()
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
    public RdmaProvider open(int eventLoops) throws RdmaException {
        checkObstacle();
        return VerbsProvider.open(VerbsOptions.fromSystemProperties());
    }

    private void checkObstacle() throws RdmaException {
        Optional<String> unavailableReason = unavailableReason();
        if (unavailableReason.isPresent()) {
            throw new RdmaException(Reason.NO_RESOURCES, "verbs: " + unavailableReason.get());
        }
    }

    private static DeviceDescription describe(String name) {
        try {
            DeviceCapabilities device = DeviceCapabilities.of(name);
            return new DeviceDescription(
                    name,
                    device.transport(),
                    device.isActive() ? "active" : "down",
                    List.copyOf(addresses(name)),
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
        return new DeviceDescription(name, "unknown", "unusable: " + why, List.copyOf(addresses(name)), List.of());
    }

    /** Why a device cannot be used, if the user can do something about it. */
    private static Optional<String> obstacleOf(String name) {
        return node(name)
                .map(VerbsProviderFactory::notPermitted)
                .orElse(Optional.of("the kernel has made no node for it in /dev/infiniband"));
    }

    /** The names of all devices. */
    private static List<String> deviceNames() {
        return list(DEVICES).map(entry -> entry.getFileName().toString()).toList();
    }

    /** The device nodes by which processes open devices. */
    private static List<Path> nodes() {
        return list(NODES)
                .filter(entry -> entry.getFileName().toString().startsWith("uverbs"))
                .toList();
    }

    /** The node of a device; empty if the kernel has not created one. */
    private static Optional<Path> node(String device) {
        return list(NODES_OF_DEVICES)
                .filter(entry -> read(entry.resolve("ibdev")).equals(Optional.of(device)))
                .map(entry -> NODES.resolve(entry.getFileName()))
                .findFirst();
    }

    /** Why this process may not use a node, and what to do about it; empty if it may. */
    private static Optional<String> notPermitted(Path node) {
        if (Files.isReadable(node) && Files.isWritable(node)) {
            return Optional.empty();
        }
        String owner;
        try {
            owner = "group " + Files.getAttribute(node, "unix:gid") + ", mode "
                    + Integer.toOctalString((int) Files.getAttribute(node, "unix:mode") & 0777);
        } catch (IOException | UnsupportedOperationException e) {
            owner = "unknown owner";
        }
        return Optional.of("no permission to read and write " + node + " (" + owner
                + "): join its group, or have udev give it mode 0666 as rdma-core's rules do");
    }

    /** The addresses of the network interfaces of a device's first port. */
    private static Set<String> addresses(String device) {
        Path port = DEVICES.resolve(device).resolve("ports/1");
        Set<String> networks = list(port.resolve("gid_attrs/ndevs"))
                .flatMap(entry -> read(entry).stream())
                .collect(Collectors.toSet());
        Set<String> addresses = new TreeSet<>();
        try {
            // An iWARP port names no interface. Its first GID begins with the Ethernet address.
            String ethernet =
                    read(port.resolve("gids/0")).orElse("").replace(":", "").toLowerCase(Locale.ROOT);
            NetworkInterface.networkInterfaces()
                    .filter(network ->
                            networks.isEmpty() ? hasAddress(network, ethernet) : networks.contains(network.getName()))
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> addresses.add(address.getHostAddress()));
        } catch (SocketException unanswered) {
            return Set.of();
        }
        return addresses;
    }

    private static boolean hasAddress(NetworkInterface network, String gid) {
        try {
            byte[] address = network.getHardwareAddress();
            return address != null
                    && gid.length() > ADDRESS_DIGITS
                    && gid.substring(0, ADDRESS_DIGITS).equals(HexFormat.of().formatHex(address));
        } catch (SocketException gone) {
            return false;
        }
    }

    /** The entries of a directory, sorted by name; empty if the directory does not exist. */
    private static Stream<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList().stream();
        } catch (IOException none) {
            return Stream.empty();
        }
    }

    /** A file's only line; empty if it cannot be read, as is the case for unused entries of the GID table. */
    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).trim());
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
