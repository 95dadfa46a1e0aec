// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;

/** Software iWARP that records a view of every byte range of its socket calls, for tests of the layers above. */
public final class TappedProvider {
    private final Wiretap wiretap = new Wiretap();
    private final RdmaProvider provider;

    public TappedProvider() throws RdmaException {
        provider = IwarpProvider.open(IwarpOptions.DEFAULTS, wiretap::on);
    }

    public RdmaProvider provider() {
        return provider;
    }

    /** The number of bytes that were written to sockets from memory that is now filled with {@code value}. */
    public long writtenFrom(byte value) {
        return wiretap.writtenFrom(value);
    }

    /** The number of bytes that were read from sockets into memory that is now filled with {@code value}. */
    public long filledInto(byte value) {
        return wiretap.filledInto(value);
    }
}
