// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.samples.nfs.server.handle.FileKey;
import org.jspecify.annotations.Nullable;

/** Listing directories. Safe for use by several threads. */
public final class Directories {
    private static final int LISTINGS = 64;
    private static final int NAMES = 500_000;

    private final FileTree tree;
    private final FileNames names;
    private final DirectoryCookies cookies;
    private final Permissions permissions;
    private final NamespaceLock lock;
    private final Map<FileKey, DirectoryListing> listings = new LinkedHashMap<>(16, 0.75f, true);
    private int listedNames;

    Directories(FileTree tree, FileNames names, DirectoryCookies cookies, Permissions permissions, NamespaceLock lock) {
        this.tree = tree;
        this.names = names;
        this.cookies = cookies;
        this.permissions = permissions;
        this.lock = lock;
    }

    /**
     * An entry of a directory.
     *
     * @param number the file's number (fileid)
     * @param cookie where a listing goes on after it
     * @param node the file; empty where the server may read the directory, but not look at what is in it
     */
    public record Entry(FileName name, long number, long cookie, Optional<Node> node) {}

    /** Takes entries in their order. */
    @FunctionalInterface
    public interface Visitor {
        /** Returns false if there is no room for the entry; it is then not taken. */
        boolean take(Entry entry);
    }

    /**
     * What a listing came to.
     *
     * @param verifier to be given with its cookies
     * @param end whether there is nothing after what was taken
     */
    public record Listed(Node directory, long verifier, boolean end) {}

    /**
     * Lists a directory from after a cookie, "." and ".." first. An entry that is there from the first call to the last is met exactly once,
     * whatever else changes between.
     *
     * @throws ExportException of BAD_COOKIE if the cookie is not of this server's making
     */
    public Listed list(Caller caller, FileHandle handle, long cookie, long verifier, Visitor visitor)
            throws IOException {
        return lock.shared(() -> {
            Node directory = tree.resolve(handle).requireDirectory();
            permissions.require(caller, directory, Permissions.READ);
            if (cookie < 0 || (cookie != DirectoryCookies.START && verifier != cookies.verifier())) {
                throw new ExportException(Failure.BAD_COOKIE, "not a cookie of this server: " + cookie);
            }
            boolean end = listDots(directory, cookie, visitor) && listNames(directory, cookie, visitor);
            return new Listed(directory, cookies.verifier(), end);
        });
    }

    private boolean listDots(Node directory, long cookie, Visitor visitor) throws IOException {
        return (cookie >= DirectoryCookies.SELF || visitor.take(dot(directory, ".", DirectoryCookies.SELF)))
                && (cookie >= DirectoryCookies.PARENT || visitor.take(dot(directory, "..", DirectoryCookies.PARENT)));
    }

    private Entry dot(Node directory, String name, long cookie) throws IOException {
        FileName fileName = FileName.of(name);
        Node node = tree.child(directory, names.name(fileName));
        return new Entry(fileName, node.key().inode(), cookie, Optional.of(node));
    }

    private boolean listNames(Node directory, long cookie, Visitor visitor) throws IOException {
        for (DirectoryListing.Entry listed : listing(directory, cookie).after(cookie)) {
            Entry entry = entry(directory, listed);
            if (entry != null && !visitor.take(entry)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Entry entry(Node directory, DirectoryListing.Entry listed) throws IOException {
        Path name = listed.name();
        try {
            Node node = tree.child(directory, name);
            return new Entry(listed.fileName(), node.key().inode(), listed.cookie(), Optional.of(node));
        } catch (NoSuchFileException removedMeanwhile) {
            return null;
        } catch (AccessDeniedException noSearchRight) {
            return new Entry(listed.fileName(), listed.cookie(), listed.cookie(), Optional.empty());
        }
    }

    private DirectoryListing listing(Node directory, long cookie) throws IOException {
        if (cookie > DirectoryCookies.PARENT) {
            DirectoryListing kept = kept(directory.key());
            if (kept != null && kept.isOf(directory.attributes())) {
                return kept;
            }
        }
        DirectoryListing fresh = DirectoryListing.of(directory, names, cookies);
        keep(directory.key(), fresh);
        return fresh;
    }

    private synchronized @Nullable DirectoryListing kept(FileKey directory) {
        return listings.get(directory);
    }

    private synchronized void keep(FileKey directory, DirectoryListing listing) {
        DirectoryListing former = listings.put(directory, listing);
        listedNames += listing.size() - (former == null ? 0 : former.size());
        Iterator<DirectoryListing> eldest = listings.values().iterator();
        while (listings.size() > LISTINGS || (listedNames > NAMES && listings.size() > 1)) {
            listedNames -= eldest.next().size();
            eldest.remove();
        }
    }
}
