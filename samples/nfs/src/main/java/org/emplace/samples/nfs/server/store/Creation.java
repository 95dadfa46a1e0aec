// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;

/** How to create a regular file (createhow3, RFC 1813 section 3.3.8). */
public sealed interface Creation {

    /** The attributes of the new file. */
    AttributeChange attributes();

    /** Whether the file that already has the name is accepted. */
    boolean takes(FileAttributes existing);

    /** UNCHECKED: accepts a regular file that already has the name. Only the size is then set. */
    record Unchecked(AttributeChange attributes) implements Creation {
        @Override
        public boolean takes(FileAttributes existing) {
            return existing.isRegular();
        }
    }

    /** GUARDED: only if the name is free. */
    record Guarded(AttributeChange attributes) implements Creation {
        @Override
        public boolean takes(FileAttributes existing) {
            return false;
        }
    }

    /**
     * EXCLUSIVE: only if the name is free, or an earlier transmission of the same call has taken it, which the verifier shows. The verifier
     * is kept in the new file's times, so it survives a restart. The client sets the times and the mode afterwards. A file that holds something is never taken:
     * others can give a file any times.
     */
    record Exclusive(long verifier) implements Creation {
        private static final int MODE = 0600;
        /** Seconds that every file system can store. */
        private static final long SECONDS = 0x7fffffffL;

        private long accessed() {
            return verifier >>> 32 & SECONDS;
        }

        private long modified() {
            return verifier & SECONDS;
        }

        @Override
        public AttributeChange attributes() {
            return new AttributeChange(
                    Optional.of(MODE),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new NewTime.Given(FileTime.from(Instant.ofEpochSecond(accessed()))),
                    new NewTime.Given(FileTime.from(Instant.ofEpochSecond(modified()))));
        }

        @Override
        public boolean takes(FileAttributes existing) {
            return existing.isRegular()
                    && existing.size() == 0
                    && existing.accessed().toInstant().getEpochSecond() == accessed()
                    && existing.modified().toInstant().getEpochSecond() == modified();
        }
    }
}
