// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.jspecify.annotations.Nullable;

/** Reading and setting attributes. Safe for use by several threads. */
public final class Attributes {
    private final FileTree tree;
    private final AttributeSource source;
    private final Contents contents;
    private final Permissions permissions;
    private final Durability durability;
    private final NamespaceLock lock;

    Attributes(
            FileTree tree,
            AttributeSource source,
            Contents contents,
            Permissions permissions,
            Durability durability,
            NamespaceLock lock) {
        this.tree = tree;
        this.source = source;
        this.contents = contents;
        this.permissions = permissions;
        this.durability = durability;
        this.lock = lock;
    }

    /** The file and its attributes (GETATTR). */
    public Node get(FileHandle handle) throws IOException {
        return lock.shared(() -> tree.resolve(handle));
    }

    /**
     * Which of the asked rights, a sum of ACCESS3_ bits, the caller has (ACCESS). A hint for the client; every operation is checked.
     */
    public int access(Caller caller, Node node, int asked) {
        int granted = permissions.granted(caller, node);
        int bits = (granted & Permissions.READ) != 0 ? Access.READ : 0;
        if ((granted & Permissions.WRITE) != 0) {
            bits |= Access.MODIFY | Access.EXTEND | (node.attributes().isDirectory() ? Access.DELETE : 0);
        }
        if ((granted & Permissions.SEARCH) != 0) {
            bits |= node.attributes().isDirectory() ? Access.LOOKUP : Access.EXECUTE;
        }
        return bits & asked;
    }

    /** The rights of ACCESS (RFC 1813 section 3.3.4). */
    private static final class Access {
        static final int READ = 0x01;
        static final int LOOKUP = 0x02;
        static final int MODIFY = 0x04;
        static final int EXTEND = 0x08;
        static final int DELETE = 0x10;
        static final int EXECUTE = 0x20;
    }

    /**
     * Sets attributes (SETATTR).
     *
     * @param guard change time that the file must have now
     * @throws ExportException of NOT_SYNC if it has another
     */
    public WeakCacheAttributes set(Caller caller, FileHandle handle, AttributeChange change, Optional<FileTime> guard)
            throws IOException {
        Node[] changed = new Node[1];
        WeakCacheAttributes result = lock.exclusive(() -> {
            Node file = tree.resolve(handle);
            changed[0] = file;
            if (guard.isPresent() && !guard.get().equals(file.attributes().changed())) {
                throw new ExportException(Failure.NOT_SYNC, file.path() + " has changed since the caller looked");
            }
            require(caller, file, change);
            apply(file, change);
            return new WeakCacheAttributes(Optional.of(file.attributes()), Optional.of(source.read(file.path())));
        });
        if (changed[0].attributes().isRegular() || changed[0].attributes().isDirectory()) {
            durability.commit(changed[0].path());
        }
        return result;
    }

    private void require(Caller caller, Node file, AttributeChange change) throws IOException {
        if (change.size().isPresent()) {
            file.requireRegular();
            permissions.requireForContent(caller, file, Permissions.WRITE);
        }
        if (change.setsOwner()) {
            permissions.requireOwnerChange(
                    caller, file, change.uid().orElse(-1L), change.gid().orElse(-1L));
        }
        if (change.mode().isPresent() || change.setsGivenTimes()) {
            permissions.requireOwner(caller, file);
        } else if (change.setsTimes()) {
            permissions.requireForContent(caller, file, Permissions.WRITE);
        }
    }

    /** Makes the changes, unchecked: the caller holds the namespace alone. */
    void apply(Node file, AttributeChange change) throws IOException {
        if (change.size().isPresent()) {
            long size = change.size().get();
            if (size < 0) {
                throw new ExportException(Failure.FBIG, "a size beyond the largest offset");
            }
            contents.resize(file, size);
        }
        if (change.setsOwner()) {
            setOwner(file, change);
        }
        if (change.mode().isPresent() && !file.attributes().isSymbolicLink()) {
            source.setMode(file.path(), file.attributes(), change.mode().get());
        }
        if (change.setsTimes()) {
            setTimes(file, change);
        }
    }

    private void setOwner(Node file, AttributeChange change) throws IOException {
        FileAttributes now = file.attributes();
        long uid = change.uid().filter(u -> u != now.uid()).orElse(-1L);
        long gid = change.gid().filter(g -> g != now.gid()).orElse(-1L);
        if (uid >= 0 || gid >= 0) {
            source.setOwner(file.path(), uid, gid);
        }
    }

    /** Java sets times through a descriptor, and opening a FIFO or device for that may wait or have effects. */
    private static void setTimes(Node file, AttributeChange change) throws IOException {
        FileAttributes now = file.attributes();
        if (!now.isRegular() && !now.isDirectory() && !now.isSymbolicLink()) {
            throw new ExportException(Failure.NOTSUPP, "times of special files cannot be set: " + file.path());
        }
        setTimes(file.path(), time(change.accessed()), time(change.modified()));
    }

    static void setTimes(Path path, @Nullable FileTime accessed, @Nullable FileTime modified) throws IOException {
        BasicFileAttributeView view =
                Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            throw new UnsupportedOperationException("the file system has no basic attributes: " + path);
        }
        view.setTimes(modified, accessed, null);
    }

    private static @Nullable FileTime time(AttributeChange.NewTime time) {
        if (time instanceof AttributeChange.NewTime.Given given) {
            return given.time();
        }
        return time instanceof AttributeChange.NewTime.ServersNow ? FileTime.from(Instant.now()) : null;
    }
}
