// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.emplace.samples.nfs.server.export.Exports.MountPath;
import org.emplace.samples.nfs.server.store.FileName;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the exports' paths, from {@code /} to the exports: the pseudo file system of NFS version 4 (RFC 8881 section 7.3). It finds exports
 * by path in time proportional to the path's length. Immutable once filled.
 */
public final class ExportTree {
    private static final FileName PARENT = FileName.of("..");
    private static final FileName SAME = FileName.of(".");

    /** Differs from the first byte of an exported file's handle, which is also longer. */
    private static final byte HANDLE_VERSION = 1;

    private static final int HANDLE_LENGTH = 1 + Long.BYTES;

    private final ToLongFunction<byte[]> numbers;
    private final Map<Long, Node> byNumber = new HashMap<>();
    private final Map<Export, Node> byExport = new HashMap<>();
    private final Node root;

    /** @param numbers gives each path a number that stays the same */
    ExportTree(ToLongFunction<byte[]> numbers) {
        this.numbers = numbers;
        this.root = node(null, new byte[0]);
    }

    /** A directory above exports, or the place of an export. */
    public static final class Node {
        private final long number;
        private final @Nullable Node parent;
        private final Map<FileName, Node> below = new LinkedHashMap<>();
        private @Nullable Export export;

        private Node(long number, @Nullable Node parent) {
            this.number = number;
            this.parent = parent;
        }

        /** The number of the directory (fileid): positive, and the same after a restart. */
        public long number() {
            return number;
        }

        /** The directory above. Empty for the root. */
        public Optional<Node> parent() {
            return Optional.ofNullable(parent);
        }

        /** The directories below, by name, in an order that stays the same while the server runs. */
        public Map<FileName, Node> below() {
            return Collections.unmodifiableMap(below);
        }

        /** The export that is mounted here. */
        public Optional<Export> export() {
            return Optional.ofNullable(export);
        }
    }

    void add(Export export) {
        Node node = root;
        byte[] path = new byte[0];
        for (FileName name : names(export.path())) {
            path = ByteBuffer.allocate(path.length + 1 + name.length())
                    .put(path)
                    .put((byte) '/')
                    .put(name.bytes())
                    .array();
            Node parent = node;
            byte[] here = path;
            node = parent.below.computeIfAbsent(name, ignored -> node(parent, here));
        }
        node.export = export;
        byExport.put(export, node);
    }

    private Node node(@Nullable Node parent, byte[] path) {
        Node node = new Node(numbers.applyAsLong(path) & Long.MAX_VALUE, parent);
        byNumber.put(node.number, node);
        return node;
    }

    /** The directory {@code /}. */
    public Node root() {
        return root;
    }

    /** Where an export is mounted. */
    public Optional<Node> place(Export export) {
        return Optional.ofNullable(byExport.get(export));
    }

    /** The handle of a directory. It says nothing that clients could not know, so it is not authenticated. */
    public static byte[] handle(Node node) {
        return ByteBuffer.allocate(HANDLE_LENGTH)
                .put(HANDLE_VERSION)
                .putLong(node.number)
                .array();
    }

    /** Whether a handle is of a directory above exports, of this or another start of the server. */
    public static boolean isHandle(byte[] handle) {
        return handle.length == HANDLE_LENGTH && handle[0] == HANDLE_VERSION;
    }

    /** The directory of a handle. Empty if no export is below it any more. */
    public Optional<Node> node(byte[] handle) {
        return Optional.ofNullable(byNumber.get(ByteBuffer.wrap(handle).getLong(1)));
    }

    /** The export whose path is the longest prefix of an absolute path. */
    Optional<MountPath> find(byte[] path) {
        if (path.length == 0 || path[0] != '/') {
            return Optional.empty();
        }
        List<FileName> names = names(path);
        @Nullable MountPath longest = null;
        @Nullable Node node = root;
        for (int depth = 0; node != null; depth++) {
            if (node.export != null) {
                longest = new MountPath(node.export, names.subList(depth, names.size()));
            }
            node = depth < names.size() ? node.below.get(names.get(depth)) : null;
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
