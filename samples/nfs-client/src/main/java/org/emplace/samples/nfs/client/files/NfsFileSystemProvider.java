// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.mount.MountOptions;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Files on NFS version 3 servers, over RDMA or TCP, for {@link java.nio.file.Files}. The service loader finds it; programs name it by the
 * scheme of their URIs:
 *
 * <pre>{@code
 * FileSystems.newFileSystem(URI.create("nfs://host/export"), Map.of());
 * Path file = Path.of(URI.create("nfs://host/export/directory/file"));
 * }</pre>
 *
 * <p>A file system is the export that holds the path of the URI; its root is the root of the export. The query of the URI and the map can
 * have options: {@code proto} ({@code rdma} or {@code tcp}), {@code mountport}, {@code timeo} (tenths of a second), {@code hard} and
 * {@code soft}, {@code rsize} and {@code wsize}, {@code uid} and {@code gid}; the map may also have an {@code observer}, an {@link
 * org.emplace.rpc.CallObserver}.
 */
public final class NfsFileSystemProvider extends FileSystemProvider {
    private final Map<RemotePath, NfsFileSystem> open = new ConcurrentHashMap<>();
    private final Map<Thread, List<NfsFileChannel>> inside = new ConcurrentHashMap<>();

    /** For the service loader. */
    public NfsFileSystemProvider() {}

    @Override
    public String getScheme() {
        return "nfs";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
        RemotePath place = RemotePath.of(uri);
        MountOptions options = MountOptions.of(place, environment);
        NfsMount mount;
        try {
            mount = NfsMount.of(place, options);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(uri + ": the thread was interrupted");
        }
        NfsFileSystem fileSystem = new NfsFileSystem(this, mount);
        if (open.putIfAbsent(mount.exportPath(), fileSystem) != null) {
            mount.close();
            throw new FileSystemAlreadyExistsException(mount.exportPath().toString());
        }
        return fileSystem;
    }

    /** The threads that are in operations of channels, each with the channels to close when it has left all of them. */
    Map<Thread, List<NfsFileChannel>> inside() {
        return inside;
    }

    void closed(NfsFileSystem fileSystem) {
        open.remove(fileSystem.exportPath(), fileSystem);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return holding(uri, RemotePath.of(uri));
    }

    @Override
    public Path getPath(URI uri) {
        RemotePath place = RemotePath.of(uri);
        NfsFileSystem fileSystem = holding(uri, place);
        List<XdrString> export = fileSystem.exportPath().components();
        return fileSystem.path(
                place.components().subList(export.size(), place.components().size()));
    }

    private NfsFileSystem holding(URI uri, RemotePath place) {
        return open.values().stream()
                .filter(fileSystem -> fileSystem.exportPath().holds(place))
                .max(Comparator.comparingInt(
                        fileSystem -> fileSystem.exportPath().components().size()))
                .orElseThrow(() -> new FileSystemNotFoundException(
                        uri + ": open its file system first, by FileSystems.newFileSystem"));
    }

    private static NfsFileSystem of(Path path) {
        return NfsPath.checked(path).getFileSystem();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return open(path, options, attributes);
    }

    private static NfsFileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        NfsPath file = NfsPath.checked(path);
        return FileOpening.open(file, Options.Open.of(options), Options.fileMode(attributes));
    }

    /** A stream whose reads begin even if the thread is interrupted, as those of the default file system. */
    @Override
    public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
        for (OpenOption option : options) {
            if (option == StandardOpenOption.APPEND || option == StandardOpenOption.WRITE) {
                throw new UnsupportedOperationException("'" + option + "' is not allowed");
            }
        }
        return Channels.newInputStream(open(path, Set.of(options)).uninterruptible());
    }

    /** A stream whose writes begin even if the thread is interrupted, as those of the default file system. */
    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
        Set<OpenOption> chosen = new HashSet<>(List.of(options));
        if (chosen.isEmpty()) {
            chosen.addAll(List.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING));
        } else if (chosen.contains(StandardOpenOption.READ)) {
            throw new IllegalArgumentException("READ is not allowed");
        }
        chosen.add(StandardOpenOption.WRITE);
        return Channels.newOutputStream(open(path, chosen).uninterruptible());
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return of(directory).operations().list(NfsPath.checked(directory), filter);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        of(directory).entries().createDirectory(NfsPath.checked(directory), Options.directoryMode(attributes));
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        if (attributes.length > 0) {
            throw new UnsupportedOperationException("a symbolic link has no initial attributes");
        }
        of(link).entries()
                .createSymbolicLink(
                        NfsPath.checked(link), NfsPath.checked(target).asLink());
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        of(link).entries().createLink(NfsPath.checked(link), NfsPath.checked(existing));
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        NfsPath path = NfsPath.checked(link);
        return NfsPath.ofLink(path.getFileSystem(), of(link).operations().readLink(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        of(path).entries().delete(NfsPath.checked(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        new Copying(NfsPath.checked(source), NfsPath.checked(target), Options.Copy.of(options)).copy();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        new Copying(NfsPath.checked(source), NfsPath.checked(target), Options.Copy.of(options)).move();
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        if (path.equals(other)) {
            return true;
        }
        return other instanceof NfsPath ours && of(path).operations().isSameFile(NfsPath.checked(path), ours);
    }

    /** Whether the name begins with a dot. */
    @Override
    public boolean isHidden(Path path) {
        @Nullable Path name = NfsPath.checked(path).getFileName();
        return name != null && name.toString().startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        NfsPath file = NfsPath.checked(path);
        checkAccess(file);
        return file.getFileSystem().store(file);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        of(path).operations().checkAccess(NfsPath.checked(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        String name;
        if (type == BasicFileAttributeView.class) {
            name = "basic";
        } else if (type == PosixFileAttributeView.class) {
            name = "posix";
        } else if (type == FileOwnerAttributeView.class) {
            name = "owner";
        } else {
            return null;
        }
        return type.cast(new NfsAttributeView(NfsPath.checked(path), Options.follow(options), name));
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (!type.isAssignableFrom(NfsFileAttributes.class)) {
            throw new UnsupportedOperationException("not supported: " + type.getName());
        }
        return type.cast(of(path).operations().attributes(NfsPath.checked(path), Options.follow(options)));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) throws IOException {
        int colon = names.indexOf(':');
        String view = colon < 0 ? "basic" : names.substring(0, colon);
        checkView(path, view);
        NfsFileAttributes attributes = of(path).operations().attributes(NfsPath.checked(path), Options.follow(options));
        Map<String, Object> all = attributes.of(view);
        Map<String, Object> asked = new LinkedHashMap<>();
        for (String name : names.substring(colon + 1).split(",", -1)) {
            if (name.equals("*")) {
                asked.putAll(all);
            } else if (all.containsKey(name)) {
                asked.put(name, all.get(name));
            } else {
                throw new IllegalArgumentException("there is no attribute '" + view + ":" + name + "'");
            }
        }
        return asked;
    }

    private static void checkView(Path path, String view) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains(view)) {
            throw new UnsupportedOperationException("there is no view '" + view + "' of attributes");
        }
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        int colon = attribute.indexOf(':');
        String view = colon < 0 ? "basic" : attribute.substring(0, colon);
        checkView(path, view);
        new NfsAttributeView(NfsPath.checked(path), Options.follow(options), view)
                .set(attribute.substring(colon + 1), value);
    }
}
