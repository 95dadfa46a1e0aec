// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.Exports.StoreOpener;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Stores of directories that count their operations, and have trouble at one of them. */
public final class FailingStores {
    private static final Set<String> NEED_SPACE =
            Set.of("write", "commit", "create", "makeDirectory", "makeSymbolicLink", "link");

    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger matching = new AtomicInteger();
    private volatile String kind = "";
    private volatile int at = Integer.MAX_VALUE;
    private volatile Trouble trouble = operation -> {};
    private volatile boolean full;

    /** What happens before an operation. */
    @FunctionalInterface
    public interface Trouble {
        /** Throws if the operation fails. */
        void before(String operation) throws StoreException;
    }

    /** Begins to count, and has trouble at an operation of this number. */
    void begin(int number, Trouble what) {
        begin("", number, what);
    }

    /** The same, but the number is that among the operations of this kind. */
    public void begin(String operation, int number, Trouble what) {
        operations.set(0);
        matching.set(0);
        kind = operation;
        full = false;
        trouble = what;
        at = number;
    }

    /** From now on nothing fails. Returns the number of operations so far. */
    int end() {
        at = Integer.MAX_VALUE;
        full = false;
        return operations.get();
    }

    /** Waits until the calls of a client that has ended have been run. */
    void awaitQuiet() throws InterruptedException {
        int before;
        do {
            before = operations.get();
            Thread.sleep(100);
        } while (running.get() > 0 || operations.get() != before);
    }

    /** From now on there is no space on the disk. */
    void fill() {
        full = true;
    }

    public StoreOpener opener() throws IOException {
        StoreOpener real = StoreKind.ofThisSystem().opener(1);
        return (directory, deferred) -> failing(real.open(directory, deferred));
    }

    private Store failing(Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    running.incrementAndGet();
                    try {
                        operations.incrementAndGet();
                        boolean matches = kind.isEmpty() || kind.equals(name);
                        if (matches && matching.incrementAndGet() == at) {
                            trouble.before(name);
                        }
                        if (full && NEED_SPACE.contains(name)) {
                            throw new StoreException(Failure.NOSPC, "the disk is full");
                        }
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        running.decrementAndGet();
                    }
                });
    }
}
