// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.nio.ByteBuffer;
import java.util.Queue;
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
        return viewed(wiretap.written(), value);
    }

    /** The number of bytes that were read from sockets into memory that is now filled with {@code value}. */
    public long filledInto(byte value) {
        return viewed(wiretap.filled(), value);
    }

    private static long viewed(Queue<ByteBuffer> views, byte value) {
        return views.stream()
                .filter(view -> isFull(view, value))
                .mapToLong(ByteBuffer::remaining)
                .sum();
    }

    private static boolean isFull(ByteBuffer view, byte value) {
        for (int i = 0; i < view.limit(); i++) {
            if (view.get(i) != value) {
                return false;
            }
        }
        return true;
    }
}
