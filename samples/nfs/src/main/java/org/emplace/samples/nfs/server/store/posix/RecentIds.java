// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.emplace.samples.nfs.server.store.FileId;

/** Numbers recorded for files. Bounded; the oldest are dropped. Safe for use by several threads. */
final class RecentIds {
    private final Map<FileId, Long> numbers = new LinkedHashMap<>();
    private final int limit;

    RecentIds(int limit) {
        this.limit = limit;
    }

    /** Records a number for a file, unless it has one. Returns its number. */
    synchronized long add(FileId file, long number) {
        Long former = numbers.putIfAbsent(file, number);
        if (numbers.size() > limit) {
            numbers.remove(numbers.keySet().iterator().next());
        }
        return former == null ? number : former;
    }

    synchronized void remove(FileId file) {
        numbers.remove(file);
    }

    synchronized OptionalLong of(FileId file) {
        Long number = numbers.get(file);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }
}
