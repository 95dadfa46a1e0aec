// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/** What has to be there for verbs to work, looked at without opening anything. */
final class Prerequisites {
    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");
    private static final Path NODES = Path.of("/dev/infiniband");

    private Prerequisites() {}

    /** The first thing that is missing, and how it is had. */
    static Optional<String> missing() {
        if (list(DEVICES, "").isEmpty()) {
            return Optional.of("no RDMA device (" + DEVICES + " is empty)");
        }
        if (!Files.exists(CONNECTION_MANAGER)) {
            return Optional.of("no " + CONNECTION_MANAGER + " ('modprobe rdma_ucm' makes it)");
        }
        List<Path> verbs = list(NODES, "uverbs");
        if (verbs.isEmpty()) {
            return Optional.of("no " + NODES + "/uverbs* ('modprobe ib_uverbs' makes them)");
        }
        if (!isOpenToUs(CONNECTION_MANAGER)) {
            return Optional.of(notPermitted(CONNECTION_MANAGER));
        }
        if (verbs.stream().noneMatch(Prerequisites::isOpenToUs)) {
            return Optional.of(notPermitted(verbs.get(0)));
        }
        return NativeLibrary.unavailable();
    }

    private static boolean isOpenToUs(Path node) {
        return Files.isReadable(node) && Files.isWritable(node);
    }

    private static String notPermitted(Path node) {
        String owner;
        try {
            owner = "group " + Files.getAttribute(node, "unix:gid") + ", mode "
                    + Integer.toOctalString((int) Files.getAttribute(node, "unix:mode") & 0777);
        } catch (IOException | UnsupportedOperationException e) {
            owner = "unknown owner";
        }
        return "no permission to read and write " + node + " (" + owner
                + "): join its group, or have udev give it mode 0666 as rdma-core's rules do";
    }

    private static List<Path> list(Path directory, String prefix) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }
}
