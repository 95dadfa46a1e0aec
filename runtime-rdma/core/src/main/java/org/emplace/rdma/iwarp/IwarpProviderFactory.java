// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.util.Optional;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProviderFactory;

/** Opens software iWARP with {@link IwarpOptions#DEFAULTS}; works wherever TCP does. */
public final class IwarpProviderFactory implements RdmaProviderFactory {

    @Override
    public String name() {
        return IwarpProvider.NAME;
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public RdmaProvider open() throws RdmaException {
        return IwarpProvider.open(IwarpOptions.DEFAULTS);
    }
}
