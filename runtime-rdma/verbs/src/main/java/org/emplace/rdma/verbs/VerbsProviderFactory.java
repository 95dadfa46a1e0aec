// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import java.util.List;
import java.util.Optional;
import org.emplace.rdma.DeviceDescription;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;

/** Opens verbs with {@link VerbsOptions} from system properties; works where there are libibverbs, librdmacm, a device, and leave to use it. */
public final class VerbsProviderFactory implements RdmaProviderFactory {

    @Override
    public String name() {
        return VerbsProvider.NAME;
    }

    @Override
    public Optional<String> obstacle() {
        return Prerequisites.missing();
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
