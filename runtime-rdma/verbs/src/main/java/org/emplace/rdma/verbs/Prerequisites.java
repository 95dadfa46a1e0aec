// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.verbs.jni.NativeLibrary;

/** What has to be there for verbs to work, looked at without opening anything. */
final class Prerequisites {
    private Prerequisites() {}

    /** The first thing that is missing, and how it is had. */
    static Optional<String> missing() {
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
}
