// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A selector that fails at every select until it is repaired. */
final class FailingSelector extends AbstractSelector {
    final AtomicInteger failures = new AtomicInteger();
    volatile boolean repaired;
    private final boolean byError;
    private final Set<SelectionKey> keys = new HashSet<>();

    /** @param byError fails with an error instead of an {@link IOException} */
    FailingSelector(boolean byError) {
        super(SelectorProvider.provider());
        this.byError = byError;
    }

    @Override
    public int selectNow() throws IOException {
        if (!repaired) {
            String failure = "failure " + failures.incrementAndGet() + ", as the test wants it";
            if (byError) {
                throw new OutOfMemoryError(failure);
            }
            throw new IOException(failure);
        }
        return 0;
    }

    @Override
    public int select(long timeout) throws IOException {
        return selectNow();
    }

    @Override
    public int select() throws IOException {
        return selectNow();
    }

    @Override
    public Selector wakeup() {
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return keys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return keys;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, Object attachment) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelector() {}
}
