// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records that were appended to a file. Each that was not reported as lost is in the file once, whole. Safe for use by several threads. */
final class AppendHistory {
    static final int RECORD = 16;

    private final Map<Long, Boolean> certain = new HashMap<>();

    /** A record's value is in both of its words. */
    static ByteBuffer record(long value) {
        return ByteBuffer.allocate(RECORD).putLong(value).putLong(value).flip();
    }

    synchronized void appended(long value) {
        certain.put(value, true);
    }

    synchronized void lost(long value) {
        certain.put(value, false);
    }

    synchronized List<String> violations(byte[] file) {
        List<String> wrong = new ArrayList<>();
        Map<Long, Integer> found = new HashMap<>();
        ByteBuffer bytes = ByteBuffer.wrap(file);
        while (bytes.remaining() >= RECORD) {
            long value = bytes.getLong();
            long again = bytes.getLong();
            if (value != again) {
                wrong.add("half of record " + value + " and of " + again);
            }
            found.merge(value, 1, Integer::sum);
        }
        found.remove(0L); // in the place of what was lost
        certain.forEach((value, isCertain) -> {
            int times = found.getOrDefault(value, 0);
            if (times > 1 || (isCertain && times == 0)) {
                wrong.add("record " + value + " is there " + times + " times");
            }
        });
        return wrong;
    }
}
