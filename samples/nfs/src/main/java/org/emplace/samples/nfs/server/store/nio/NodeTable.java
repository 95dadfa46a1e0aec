// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.CacheShares;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.nio.AttributeSource.Seen;
import org.emplace.samples.nfs.server.store.nio.Node.Place;
import org.jspecify.annotations.Nullable;

/**
 * The files that clients have seen: each has a number that no other file ever gets, and the names that lead to it. Renaming a directory is a single
 * change, whatever is below it. The number of names is bounded, and a file may have many: a full table drops nodes without children, the least recently
 * used one of the peer that uses most ({@link CacheShares}). Safe for use by several threads.
 */
final class NodeTable {
    private final int limit;
    private final Node root;
    private final Map<Long, Node> byNumber = new HashMap<>();
    private final Map<Object, Node> byIdentity = new HashMap<>();
    private final CacheShares<Node> leaves = new CacheShares<>();
    private long numbers = 1;

    /** The number of places of all nodes. Each node but the root has at least one. */
    private int names;

    NodeTable(int limit, Seen root) {
        this.limit = limit;
        this.root = new Node(numbers, root.attributes().type(), root.key(), root);
        byNumber.put(numbers, this.root);
        if (root.key() != null) {
            byIdentity.put(root.key(), this.root);
        }
    }

    Node root() {
        return root;
    }

    /** The node with a number, if it is still known. */
    synchronized @Nullable Node withNumber(long number) {
        Node node = byNumber.get(number);
        if (node != null) {
            leaves.touch(node);
        }
        return node;
    }

    /** The node of a file that a peer saw in a directory. */
    synchronized Node at(Node directory, Path name, Seen seen, Object peer) {
        Place place = new Place(directory, name);
        Object identity = seen.key() == null ? place : seen.key();
        Node node = byIdentity.get(identity);
        if (node != null && !node.isFile(seen)) {
            drop(node);
            node = null;
        }
        if (node == null) {
            node = new Node(++numbers, seen.attributes().type(), seen.key(), peer);
            byNumber.put(node.number, node);
            byIdentity.put(identity, node);
        }
        node.peer = peer;
        if (node != root) {
            take(node, place);
            noteLeaf(node);
        }
        shrink(node);
        return node;
    }

    private void take(Node node, Place place) {
        if (!node.places.contains(place)) {
            boolean full = node.type == FileType.DIRECTORY || node.places.size() == Changes.MOST_LINKS;
            if (full && !node.places.isEmpty()) {
                leave(node.places.remove(0).directory());
            }
            node.places.add(place);
            names++;
            place.directory().children++;
            leaves.remove(place.directory());
        }
    }

    private void noteLeaf(Node node) {
        if (node.children == 0 && !node.gone && node != root) {
            leaves.use(node.peer, node, node.places.size());
        }
    }

    /** Notes that a name in this directory is no longer known. */
    private void leave(Node directory) {
        names--;
        directory.children--;
        noteLeaf(directory);
    }

    private void shrink(Node used) {
        while (names >= limit) {
            Optional<Node> next = leaves.next(node -> node != used);
            if (next.isEmpty()) {
                return;
            }
            drop(next.get());
        }
    }

    private void drop(Node node) {
        node.gone = true;
        byNumber.remove(node.number);
        leaves.remove(node);
        if (node.key != null) {
            byIdentity.remove(node.key, node);
        }
        for (Place place : node.places) {
            byIdentity.remove(place, node);
            leave(place.directory());
        }
        node.places.clear();
    }

    /** Notes that the file has lost a name. */
    synchronized void forget(Node node, Place place) {
        if (node.places.remove(place)) {
            byIdentity.remove(place, node);
            leave(place.directory());
            if (node.places.isEmpty()) {
                drop(node);
            } else {
                noteLeaf(node);
            }
        }
    }

    /** Records that the file is gone, with all its names. Its number is never used again. */
    synchronized void removed(Node node) {
        drop(node);
    }

    /** Notes that the file has been renamed. */
    synchronized void moved(Node node, Place from, Place to) {
        if (node.gone) {
            return;
        }
        if (node.places.remove(from)) {
            byIdentity.remove(from, node);
            leave(from.directory());
        }
        if (node.key == null) {
            byIdentity.put(to, node);
        }
        take(node, to);
        noteLeaf(node);
    }

    /** The known names of a file. */
    synchronized List<Place> places(Node node) {
        return List.copyOf(node.places);
    }

    /** The places from below the root down to a directory; null if one of its directories is no longer known. */
    synchronized @Nullable List<Place> way(Node directory) {
        Deque<Place> way = new ArrayDeque<>();
        Node node = directory;
        while (node != root) {
            if (node.gone || node.places.isEmpty() || way.size() > NodeTree.DEEPEST) {
                return null;
            }
            Place place = node.places.get(0);
            way.addFirst(place);
            node = place.directory();
        }
        return new ArrayList<>(way);
    }
}
