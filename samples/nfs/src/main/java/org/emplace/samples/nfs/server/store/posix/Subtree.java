// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.util.Arrays;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Tells which directories are below a root, by a number of system calls that does not depend on how deep they are. The kernel reports the path of an
 * open directory. The part of it below the root's path is followed from the root, and leads to the same directory if that is below the root: the path
 * alone proves nothing, because the kernel also prints one for a directory that the root's mount does not reach. The kernel reports no path of more
 * than a page. Then the question is asked for a directory some levels above.
 *
 * @param root not closed here
 * @param ids of the files on the root's file system
 */
record Subtree(Descriptor root, FileIds ids) {
    /** Linux accepts and reports paths of at most 4096 bytes, including the NUL. */
    private static final int PATH_LIMIT = 4096;

    /** The most levels climbed by one system call. Their path, {@code ../../..}, fits. */
    private static final int LONGEST_STEP = 1 << 10;

    private static final int MOST_LEVELS = 4 * LONGEST_STEP;

    /** How often a path is read again that another call has changed meanwhile. */
    private static final int ATTEMPTS = 8;

    private enum Position {
        BELOW,
        ELSEWHERE,
        /** The path is too long. */
        UNKNOWN
    }

    /**
     * Checks that a directory is the root or below it.
     *
     * @throws StoreException of STALE if it is not, or if it is more than {@value #MOST_LEVELS} levels below all directories whose paths the kernel
     *     reports; of JUKEBOX if other calls change its path all the time
     */
    void require(FileNode directory) throws IOException {
        Position position = position(directory.descriptor());
        if (position == Position.ELSEWHERE || (position == Position.UNKNOWN && !isBelow(directory.descriptor()))) {
            throw new StoreException(Failure.STALE, "the directory was moved out of the export");
        }
    }

    /** Asks for directories above one whose path is too long. Halves the step whenever it leads beyond the root. */
    private boolean isBelow(Descriptor directory) throws IOException {
        Descriptor at = directory;
        int climbed = 0;
        try {
            for (int step = LONGEST_STEP; step > 0; ) {
                if (climbed == MOST_LEVELS) {
                    throw new StoreException(Failure.STALE, "the directory is too deep to tell whether it is exported");
                }
                Descriptor above = above(at, Math.min(step, MOST_LEVELS - climbed));
                Position position = above == null ? Position.ELSEWHERE : position(above);
                if (above != null && position == Position.UNKNOWN) {
                    Descriptor left = at;
                    at = above;
                    climbed += Math.min(step, MOST_LEVELS - climbed);
                    closeIfOther(left, directory);
                } else {
                    closeIfOther(above, directory);
                    if (position == Position.BELOW) {
                        return true;
                    }
                    step /= 2;
                }
            }
            return false;
        } finally {
            closeIfOther(at, directory);
        }
    }

    private static void closeIfOther(@Nullable Descriptor opened, Descriptor given) throws IOException {
        if (opened != null && opened != given) {
            opened.close();
        }
    }

    /** Returns null if there is no such directory on the mount. */
    private static @Nullable Descriptor above(Descriptor directory, int levels) {
        long opened = SystemCalls.locateAbove(directory.number(), levels);
        return opened < 0 ? null : new Descriptor((int) opened);
    }

    private Position position(Descriptor directory) throws IOException {
        byte[] before = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            byte[] path = path(directory);
            if (path == null) {
                return Position.UNKNOWN;
            }
            byte[] below = belowRoot(path);
            if (below != null && leadsTo(below, directory)) {
                return Position.BELOW;
            }
            if (Arrays.equals(path, before)) {
                return Position.ELSEWHERE;
            }
            before = path;
        }
        throw new StoreException(Failure.JUKEBOX, "the directory is being moved");
    }

    /** Returns null if the path is too long. */
    private static byte @Nullable [] path(Descriptor directory) throws IOException {
        byte[] path = new byte[PATH_LIMIT];
        long length = SystemCalls.path(directory.number(), path);
        if (Errno.ENAMETOOLONG.is(length) || length == PATH_LIMIT) {
            return null;
        }
        return Arrays.copyOf(path, (int) Errno.check(length, "reading the path of a directory"));
    }

    /** The path from the root, with a NUL at its end; null if a path does not begin with the root's. */
    private byte @Nullable [] belowRoot(byte[] path) throws IOException {
        byte[] top = path(root);
        if (top == null || path.length < top.length || Arrays.mismatch(path, 0, top.length, top, 0, top.length) >= 0) {
            return null;
        }
        if (path.length == top.length) {
            return new byte[] {'.', 0};
        }
        boolean separated = top[top.length - 1] == '/';
        if (!separated && path[top.length] != '/') {
            return null;
        }
        // The copy is a byte longer than what is left of the path.
        return Arrays.copyOfRange(path, separated ? top.length : top.length + 1, path.length + 1);
    }

    private boolean leadsTo(byte[] below, Descriptor directory) throws IOException {
        long opened = SystemCalls.locate(root.number(), below);
        if (opened < 0) {
            return false;
        }
        try (Descriptor found = new Descriptor((int) opened)) {
            return id(found).equals(id(directory));
        }
    }

    private FileId id(Descriptor file) throws IOException {
        return ids.of(file, file.status());
    }
}
