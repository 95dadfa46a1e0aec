// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;

/** Compares a file with its copy, by their sizes and times of modification. */
final class UpToDate {
    private UpToDate() {}

    /** Whether a regular file at a path is a copy of another as that is now. */
    static boolean isCopy(PosixFileAttributes file, PosixFileAttributes copy, Path to) throws IOException {
        return file.isRegularFile() && copy.isRegularFile() && copy.size() == file.size() && hasTime(file, copy, to);
    }

    /**
     * Some file systems keep whole seconds only. The time of the copy's last change, which the file system itself has set, shows that. If it has a
     * fraction, two times in the same second are different, even if one of them is a whole second: the file may have changed since.
     */
    private static boolean hasTime(PosixFileAttributes file, PosixFileAttributes copy, Path to) throws IOException {
        Instant time = file.lastModifiedTime().toInstant();
        Instant kept = copy.lastModifiedTime().toInstant();
        return kept.toEpochMilli() == time.toEpochMilli()
                || (kept.equals(time.truncatedTo(ChronoUnit.SECONDS)) && changedAtWholeSecond(copy, to));
    }

    private static boolean changedAtWholeSecond(PosixFileAttributes copy, Path to) throws IOException {
        if (copy instanceof NfsFileAttributes remote) {
            return isWholeSecond(RemoteAttributes.instant(remote.nfs().ctime()));
        }
        return to.getFileSystem().supportedFileAttributeViews().contains("unix")
                && isWholeSecond(
                        ((FileTime) Files.getAttribute(to, "unix:ctime", LinkOption.NOFOLLOW_LINKS)).toInstant());
    }

    private static boolean isWholeSecond(Instant time) {
        return time.equals(time.truncatedTo(ChronoUnit.SECONDS));
    }
}
