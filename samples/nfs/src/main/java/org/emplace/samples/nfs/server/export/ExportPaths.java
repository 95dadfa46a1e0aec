// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.export.Exports.MountPath;
import org.emplace.samples.nfs.server.store.FileName;
import org.jspecify.annotations.Nullable;

/** Finds exports by the paths that clients mount, in time proportional to the path's length. Immutable once filled. */
final class ExportPaths {
    private static final FileName PARENT = FileName.of("..");
    private static final FileName SAME = FileName.of(".");

    private final Branch top = new Branch();

    private static final class Branch {
        private final Map<FileName, Branch> below = new HashMap<>();
        private @Nullable Export export;
    }

    void add(Export export) {
        Branch branch = top;
        for (FileName name : names(export.path())) {
            branch = branch.below.computeIfAbsent(name, ignored -> new Branch());
        }
        branch.export = export;
    }

    /** The export whose path is the longest prefix of an absolute path. */
    Optional<MountPath> find(byte[] path) {
        if (path.length == 0 || path[0] != '/') {
            return Optional.empty();
        }
        List<FileName> names = names(path);
        @Nullable MountPath longest = null;
        @Nullable Branch branch = top;
        for (int depth = 0; branch != null; depth++) {
            if (branch.export != null) {
                longest = new MountPath(branch.export, names.subList(depth, names.size()));
            }
            branch = depth < names.size() ? branch.below.get(names.get(depth)) : null;
        }
        return Optional.ofNullable(longest);
    }

    /** The names in a path, without empty ones and "."; ".." removes the name before it. */
    private static List<FileName> names(byte[] path) {
        Deque<FileName> names = new ArrayDeque<>();
        int start = 0;
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                FileName name = new FileName(Arrays.copyOfRange(path, start, i));
                if (name.equals(PARENT)) {
                    names.pollLast();
                } else if (name.length() > 0 && !name.equals(SAME)) {
                    names.addLast(name);
                }
                start = i + 1;
            }
        }
        return new ArrayList<>(names);
    }
}
