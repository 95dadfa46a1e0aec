// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** The attributes that a client wants to set (sattr3, RFC 1813 section 2.6). Empty ones stay unchanged. */
public record AttributeChange(
        Optional<Integer> mode,
        Optional<Long> uid,
        Optional<Long> gid,
        Optional<Long> size,
        NewTime accessed,
        NewTime modified) {

    /** Nothing to set. */
    public static final AttributeChange NONE = new AttributeChange(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new NewTime.Kept(),
            new NewTime.Kept());

    /** The new value of a time. */
    public sealed interface NewTime {
        /** Unchanged. */
        record Kept() implements NewTime {}

        /** The server's current time. */
        record ServersNow() implements NewTime {}

        /** A time that the client gives. */
        record Given(FileTime time) implements NewTime {}
    }

    public boolean setsTimes() {
        return !(accessed instanceof NewTime.Kept && modified instanceof NewTime.Kept);
    }

    /** The same without a size, for a file that has just been created. */
    public AttributeChange withoutSize() {
        return new AttributeChange(mode, uid, gid, Optional.empty(), accessed, modified);
    }

    /** The same without a mode. */
    public AttributeChange withoutMode() {
        return new AttributeChange(Optional.empty(), uid, gid, size, accessed, modified);
    }

    public AttributeChange withMode(int bits) {
        return new AttributeChange(Optional.of(bits), uid, gid, size, accessed, modified);
    }
}
