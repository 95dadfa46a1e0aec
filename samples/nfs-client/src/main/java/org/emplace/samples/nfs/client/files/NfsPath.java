// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * A path in an export. Its names are bytes, as in the protocol. Text is encoded in UTF-8. Names from a server that are not UTF-8 keep their
 * bytes, although {@link #toString} cannot show them. The working directory is the root.
 */
public final class NfsPath implements Path {

    private final NfsFileSystem fileSystem;
    private final boolean absolute;
    private final List<XdrString> names; // none and not absolute: the empty path
    private @Nullable SeenNode seen;
    private boolean seenTaken;
    private boolean seenOpened;

    NfsPath(NfsFileSystem fileSystem, boolean absolute, List<XdrString> names) {
        this.fileSystem = fileSystem;
        this.absolute = absolute;
        this.names = List.copyOf(names);
    }

    /**
     * A file's handle and attributes from a listing; see {@link NfsFileSystem#changes}.
     *
     * @param directory that was listed
     */
    record SeenNode(RemoteNode node, NfsFh3 directory, long changes, long nanoTime) {}

    /** @throws InvalidPathException if the text has a zero character or cannot be encoded */
    static NfsPath parse(NfsFileSystem fileSystem, String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean pair = Character.isHighSurrogate(c)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                throw new InvalidPathException(text, "a name cannot have this character", at);
            }
            at += pair ? 1 : 0;
        }
        return of(fileSystem, XdrString.of(text));
    }

    /** The path of these bytes. */
    static NfsPath of(NfsFileSystem fileSystem, XdrString bytes) {
        boolean absolute = bytes.length() > 0 && bytes.bytes()[0] == '/';
        return new NfsPath(fileSystem, absolute, RemotePath.split(bytes));
    }

    /**
     * The path for the target of a symbolic link. An absolute target is a path on the server; if it is in the export, the export's own
     * path is removed from it.
     */
    static NfsPath ofLink(NfsFileSystem fileSystem, XdrString target) {
        NfsPath path = of(fileSystem, target);
        return path.absolute
                ? RemotePath.withoutPrefix(fileSystem.exportPath().components(), path.names)
                        .map(fileSystem::path)
                        .orElse(path)
                : path;
    }

    /** What a symbolic link to this path holds; see {@link #ofLink}. */
    XdrString asLink() {
        if (!absolute) {
            return bytes();
        }
        List<XdrString> onServer = new ArrayList<>(fileSystem.exportPath().components());
        onServer.addAll(names);
        return XdrString.of(RemotePath.join(onServer));
    }

    /**
     * Casts a path of this provider.
     *
     * @throws ProviderMismatchException if it is not
     */
    static NfsPath checked(Path path) {
        if (Objects.requireNonNull(path) instanceof NfsPath ours) {
            return ours;
        }
        throw new ProviderMismatchException("'" + path + "' is not a path of an NFS file system");
    }

    /** The names from the root. */
    List<XdrString> names() {
        return names;
    }

    /** An entry of this directory, from a listing. */
    NfsPath entry(XdrString name, SeenNode node) {
        NfsPath entry = child(name);
        entry.seen = node;
        return entry;
    }

    private NfsPath child(XdrString name) {
        List<XdrString> longer = new ArrayList<>(names);
        longer.add(name);
        return new NfsPath(fileSystem, absolute, longer);
    }

    /** What the listing knew of the file, for the first call only: a second call asks for the current state. */
    synchronized @Nullable SeenNode takeSeen() {
        SeenNode taken = seenTaken ? null : seen;
        seenTaken = true;
        return taken;
    }

    /** The same for opening the file, once. */
    synchronized @Nullable SeenNode takeSeenToOpen() {
        SeenNode taken = seenOpened ? null : seen;
        seenOpened = true;
        return taken;
    }

    /** What the listing knew of the file, however old. */
    synchronized Optional<RemoteNode> listed() {
        return Optional.ofNullable(seen).map(SeenNode::node);
    }

    /** The directory whose listing has this file. */
    synchronized Optional<NfsFh3> listedIn() {
        return Optional.ofNullable(seen).map(SeenNode::directory);
    }

    /** The bytes. */
    XdrString bytes() {
        if (names.isEmpty()) {
            return XdrString.of(absolute ? "/" : "");
        }
        byte[] joined = RemotePath.join(names);
        return XdrString.of(absolute ? joined : Arrays.copyOfRange(joined, 1, joined.length));
    }

    private boolean isEmpty() {
        return names.isEmpty() && !absolute;
    }

    private NfsPath with(boolean absolutely, List<XdrString> others) {
        return new NfsPath(fileSystem, absolutely, others);
    }

    @Override
    @SuppressWarnings("exports") // other packages see a FileSystem
    public NfsFileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public @Nullable Path getRoot() {
        return absolute ? with(true, List.of()) : null;
    }

    @Override
    public @Nullable Path getFileName() {
        if (names.isEmpty()) {
            return absolute ? null : this;
        }
        return with(false, names.subList(names.size() - 1, names.size()));
    }

    @Override
    public @Nullable Path getParent() {
        if (names.isEmpty() || (names.size() == 1 && !absolute)) {
            return null;
        }
        return with(absolute, names.subList(0, names.size() - 1));
    }

    @Override
    public int getNameCount() {
        return isEmpty() ? 1 : names.size();
    }

    @Override
    public Path getName(int index) {
        return subpath(index, index + 1);
    }

    @Override
    public Path subpath(int begin, int end) {
        if (begin < 0 || end > getNameCount() || begin >= end) {
            throw new IllegalArgumentException("'" + this + "' has no names from " + begin + " to " + end);
        }
        return isEmpty() ? this : with(false, names.subList(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof NfsPath path
                && path.fileSystem.equals(fileSystem)
                && path.absolute == absolute
                && path.isEmpty() == isEmpty()
                && RemotePath.withoutPrefix(path.names, names).isPresent();
    }

    @Override
    public boolean endsWith(Path other) {
        if (!(other instanceof NfsPath path) || !path.fileSystem.equals(fileSystem)) {
            return false;
        }
        if (path.absolute || path.isEmpty() || isEmpty()) {
            return equals(path);
        }
        int start = names.size() - path.names.size();
        return start >= 0 && names.subList(start, names.size()).equals(path.names);
    }

    @Override
    public Path normalize() {
        Deque<XdrString> kept = new ArrayDeque<>();
        for (XdrString name : names) {
            if (name.equals(RemoteName.DOT_DOT)
                    && !kept.isEmpty()
                    && !kept.getLast().equals(RemoteName.DOT_DOT)) {
                kept.removeLast();
            } else if (!name.equals(RemoteName.DOT) && !(name.equals(RemoteName.DOT_DOT) && absolute)) {
                kept.addLast(name);
            }
        }
        return with(absolute, new ArrayList<>(kept));
    }

    @Override
    public Path resolve(Path other) {
        NfsPath path = checked(other);
        if (path.absolute) {
            return path;
        }
        List<XdrString> joined = new ArrayList<>(names);
        joined.addAll(path.names);
        return with(absolute, joined);
    }

    @Override
    public Path relativize(Path other) {
        NfsPath path = checked(other);
        if (path.absolute != absolute) {
            throw new IllegalArgumentException(
                    "one of '" + this + "' and '" + other + "' is absolute, the other is not");
        }
        if (isEmpty()) {
            return path;
        }
        List<XdrString> base = names;
        List<XdrString> child = path.names;
        if (hasDots(base) || hasDots(child)) {
            base = ((NfsPath) normalize()).names;
            child = ((NfsPath) path.normalize()).names;
        }
        int common = 0;
        while (common < Math.min(base.size(), child.size()) && base.get(common).equals(child.get(common))) {
            common++;
        }
        List<XdrString> up = base.subList(common, base.size());
        if (up.contains(RemoteName.DOT_DOT)) {
            throw new IllegalArgumentException("unable to compute a relative path from '" + this + "'");
        }
        List<XdrString> relative = new ArrayList<>();
        up.forEach(name -> relative.add(RemoteName.DOT_DOT));
        relative.addAll(child.subList(common, child.size()));
        return with(false, relative);
    }

    private static boolean hasDots(List<XdrString> names) {
        return names.stream().anyMatch(RemoteName::isDots);
    }

    /** The target of the symbolic link here, as the server has it. */
    XdrString readSymbolicLink() throws IOException {
        return fileSystem.operations().readLink(this);
    }

    /** Creates a symbolic link here, with a target that need not be text. */
    public void createSymbolicLink(XdrString target) throws IOException {
        fileSystem.entries().createSymbolicLink(this, target);
    }

    /** Deletes the file, if it exists, even if this program has it open: its channels then have no file any more. */
    public void deleteForGood() throws IOException {
        fileSystem.entries().deleteForGood(this);
    }

    /**
     * The entries of the directory here; empty if there is something else. Does not follow a link. If the path comes from a listing, this
     * is the directory that was listed, even if another has its name now.
     */
    public Optional<DirectoryStream<Path>> entries() throws IOException {
        return fileSystem.operations().entries(this);
    }

    /**
     * Whether this path comes from a listing, and the file that was listed still has its name: not another one, which may have got its inode
     * number.
     */
    public boolean hasListedFile() throws IOException {
        return fileSystem.operations().hasListedFile(this);
    }

    /** Deletes the file here. If the path comes from a listing, the name is deleted in the directory that was listed, wherever that is now. */
    public void deleteEntry() throws IOException {
        fileSystem.entries().deleteEntry(this);
    }

    /** Gives the file here, or the symbolic link itself, attributes by one call. */
    public void setAttributes(Sattr3 attributes) throws IOException {
        fileSystem.operations().change(this, false, attributes);
    }

    /** The URI that leads to this file while its file system is open; bytes that a URI cannot have are escaped. */
    @Override
    public URI toUri() {
        return place().toUri();
    }

    /** The root of this path's export as a path of another path's export, if that holds it by the exports' names. */
    public Optional<NfsPath> rootIn(NfsPath other) {
        return RemotePath.withoutPrefix(
                        other.fileSystem.exportPath().components(),
                        fileSystem.exportPath().components())
                .filter(names -> !names.isEmpty())
                .map(other.fileSystem::path);
    }

    /**
     * Whether the server has another export inside this path's, and it holds the path by its name: there may be another file, since what is
     * mounted inside an export is not part of it.
     */
    public boolean isOfInnerExport() {
        return fileSystem.isOfInnerExport(names);
    }

    /** Whether another path has the same server by its address. A server may have several. */
    public boolean hasServerOf(NfsPath other) {
        RemotePath here = fileSystem.exportPath();
        RemotePath there = other.fileSystem.exportPath();
        return here.host().equals(there.host()) && here.port().equals(there.port());
    }

    /**
     * Whether a file of another file system may be the same. Looks again, after both have sent what they hold of it, if it has the same
     * number but has changed: perhaps between the two looks.
     *
     * @param here what was seen of this file; if it is a link, the path is not followed
     * @param there what was seen of the other, in the same way
     */
    public boolean maybeSameFile(NfsFileAttributes here, NfsPath other, NfsFileAttributes there) throws IOException {
        if (!here.hasNumberOf(there)) {
            return false;
        }
        if (here.maybeSameFile(there)) {
            return true;
        }
        boolean followLinks = !here.isSymbolicLink();
        PathOperations operations = fileSystem.operations();
        PathOperations others = other.fileSystem.operations();
        operations.flush(this, followLinks);
        others.flush(other, followLinks);
        return new NfsFileAttributes(operations.current(this, followLinks).attributes())
                .maybeSameFile(
                        new NfsFileAttributes(others.current(other, followLinks).attributes()));
    }

    /** The file's location on its server. */
    RemotePath place() {
        RemotePath export = fileSystem.exportPath();
        List<XdrString> all = new ArrayList<>(export.components());
        all.addAll(names);
        return new RemotePath(export.host(), export.port(), all, "");
    }

    @Override
    public NfsPath toAbsolutePath() {
        return absolute ? this : with(true, names);
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return fileSystem.operations().realPath(this, Options.follow(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("NFS version 3 cannot watch files");
    }

    /** Compares the bytes, unsigned. */
    @Override
    public int compareTo(Path other) {
        return Arrays.compareUnsigned(bytes().bytes(), ((NfsPath) other).bytes().bytes());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NfsPath path
                && path.fileSystem.equals(fileSystem)
                && path.absolute == absolute
                && path.names.equals(names);
    }

    @Override
    public int hashCode() {
        return Objects.hash(absolute, names);
    }

    @Override
    public String toString() {
        return bytes().toString();
    }
}
