// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.samples.nfs.client.copy.TreeCopy.CopyListener;

/** Remembers what a copy told its listener. */
public class CopyRecord implements CopyListener {
    final AtomicLong moved = new AtomicLong();
    public final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public void planned(long bytes) {}

    @Override
    public void moved(long bytes) {
        moved.addAndGet(bytes);
    }

    @Override
    public void failed(String what, IOException cause) {
        failures.add(what + ": " + cause.getMessage());
    }
}
