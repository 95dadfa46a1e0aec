// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Information about RDMA devices in the kernel's world-readable files. Opens no device and calls no library. */
final class DeviceFiles {
    /** The device node of the RDMA connection manager. */
    static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");

    /** The directory with an entry for each device. */
    static final Path DEVICES = Path.of("/sys/class/infiniband");

    private static final Path NODES = Path.of("/dev/infiniband");
    private static final Path NODES_OF_DEVICES = Path.of("/sys/class/infiniband_verbs");
    private static final int ADDRESS_DIGITS = 12;

    private DeviceFiles() {}

    /** The names of all devices. */
    static List<String> names() {
        return list(DEVICES).map(entry -> entry.getFileName().toString()).toList();
    }

    /** The device nodes by which processes open devices. */
    static List<Path> nodes() {
        return list(NODES)
                .filter(entry -> entry.getFileName().toString().startsWith("uverbs"))
                .toList();
    }

    /** The node of a device; empty if the kernel has not created one. */
    static Optional<Path> node(String device) {
        return list(NODES_OF_DEVICES)
                .filter(entry -> read(entry.resolve("ibdev")).equals(Optional.of(device)))
                .map(entry -> NODES.resolve(entry.getFileName()))
                .findFirst();
    }

    /** Why this process may not use a node, and what to do about it; empty if it may. */
    static Optional<String> notPermitted(Path node) {
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
    static Set<String> addresses(String device) {
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
