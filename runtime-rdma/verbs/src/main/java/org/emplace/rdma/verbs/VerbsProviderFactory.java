// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.rdma.DeviceDescription;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;
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
        return DeviceDescriptions.describe();
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
}
