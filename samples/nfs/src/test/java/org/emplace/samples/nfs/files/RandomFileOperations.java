// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random operations in a directory. They depend only on the random numbers, never on the content of the directory, so that two objects with equal
 * seeds do the same in two directories.
 */
final class RandomFileOperations {
    private static final List<String> NAMES = List.of("a", "b", "c", "\u00fc", ".h");
    private static final List<String> TARGETS =
            List.of("a", "b", "../a", "../../b", "c/a", ".", "..", "nothing", "a/b/c");

    private final Path root;
    private final String nlink;
    private final Random random;

    /** @param nlink the name of the attribute that has the number of links */
    RandomFileOperations(Path root, String nlink, long seed) {
        this.root = root;
        this.nlink = nlink;
        this.random = new Random(seed);
    }

    /** An operation, which returns a result or fails. */
    @FunctionalInterface
    private interface Operation {
        Object run() throws IOException;
    }

    /** Runs the next operation. Returns its description and its result. */
    String next() {
        Path path = path();
        Path other = path();
        return switch (random.nextInt(24)) {
            case 0 -> outcome("createFile " + shown(path), () -> shown(Files.createFile(path)));
            case 1, 2 -> outcome("createDirectory " + shown(path), () -> shown(Files.createDirectory(path)));
            case 3 -> outcome("createDirectories " + shown(path), () -> shown(Files.createDirectories(path)));
            case 4, 5, 6 -> write(path);
            case 7, 8 -> channel(path);
            case 9 -> outcome("read " + shown(path), () -> Arrays.hashCode(Files.readAllBytes(path)));
            case 10 -> list(path);
            case 11 -> walk(path);
            case 12, 13 -> copy(path, other);
            case 14, 15 -> move(path, other);
            case 16 ->
                outcome("link " + shown(path) + " to " + shown(other), () -> shown(Files.createLink(path, other)));
            case 17 -> symbolicLink(path);
            case 18 -> outcome("readSymbolicLink " + shown(path), () -> Files.readSymbolicLink(path));
            case 19 ->
                outcome("delete " + shown(path), () -> {
                    Files.delete(path);
                    return "done";
                });
            case 20 -> outcome("deleteIfExists " + shown(path), () -> Files.deleteIfExists(path));
            case 21 -> attributes(path);
            case 22 -> change(path);
            default -> questions(path, other);
        };
    }

    private Path path() {
        Path path = root;
        for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
            path = path.resolve(NAMES.get(random.nextInt(NAMES.size())));
        }
        return path;
    }

    private String shown(Path path) {
        return path.startsWith(root) ? root.relativize(path).toString() : "a path elsewhere";
    }

    private String outcome(String what, Operation operation) {
        String result;
        try {
            result = String.valueOf(operation.run());
        } catch (IOException | RuntimeException e) {
            result = failure(e);
        }
        return what + ": " + result;
    }

    /** An exception as programs distinguish it: by its class if that is documented, or else as an I/O error. */
    private String failure(Exception failure) {
        if (failure instanceof UncheckedIOException unchecked) {
            return "unchecked " + failure(Objects.requireNonNull(unchecked.getCause()));
        }
        if (failure instanceof DirectoryIteratorException iteration) {
            return "iteration " + failure(Objects.requireNonNull(iteration.getCause()));
        }
        boolean general = failure.getClass() == FileSystemException.class
                || failure.getClass() == IOException.class
                || (failure instanceof FileSystemException named && leadsThroughFile(named.getFile()));
        return general ? "an I/O error" : failure.getClass().getSimpleName();
    }

    /**
     * Whether something on the path to a file is not a directory. The default file system of JDK 17 reports an I/O error then. On JDK 25 such a file
     * does not exist, except when it is opened; its createDirectories then tries to create a directory in place of a link to such a file.
     */
    private boolean leadsThroughFile(@Nullable String file) {
        return file != null && leadsThroughFile(root.getFileSystem().getPath(file));
    }

    private static boolean leadsThroughFile(Path path) {
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            return !channel.isOpen();
        } catch (IOException e) {
            return e.getClass() == FileSystemException.class;
        }
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    @SafeVarargs
    private <T> T[] some(T[] none, T... from) {
        Set<T> chosen = new HashSet<>();
        for (T each : from) {
            if (random.nextInt(3) == 0) {
                chosen.add(each);
            }
        }
        return chosen.toArray(none);
    }

    private OpenOption[] openOptions() {
        Set<OpenOption> options = new HashSet<>(Set.of(some(
                new OpenOption[0],
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.APPEND,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SYNC,
                LinkOption.NOFOLLOW_LINKS)));
        options.add(StandardOpenOption.WRITE);
        return options.toArray(OpenOption[]::new);
    }

    private static String sorted(Object[] options) {
        return new TreeSet<>(Stream.of(options).map(Object::toString).toList()).toString();
    }

    private String write(Path path) {
        OpenOption[] options = random.nextInt(3) == 0 ? openOptions() : new OpenOption[0];
        byte[] bytes = bytes();
        return outcome("write " + shown(path) + " " + bytes.length + " " + sorted(options), () -> {
            Files.write(path, bytes, options);
            return Files.size(path);
        });
    }

    /** Reads and writes at random positions of an open file. */
    private String channel(Path path) {
        long seed = random.nextLong();
        return outcome("channel " + shown(path) + " " + seed, () -> {
            Random here = new Random(seed);
            Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
            if (here.nextBoolean()) {
                options.add(StandardOpenOption.CREATE);
            }
            if (here.nextInt(10) == 0) {
                options.add(StandardOpenOption.DELETE_ON_CLOSE);
            }
            StringBuilder seen = new StringBuilder();
            try (FileChannel channel = FileChannel.open(path, options)) {
                for (int i = here.nextInt(12); i > 0; i--) {
                    seen.append(step(channel, here)).append(' ');
                }
            }
            return seen;
        });
    }

    private static Object step(FileChannel channel, Random here) throws IOException {
        int length = here.nextInt(20) == 0 ? here.nextInt(200_000) : here.nextInt(100);
        ByteBuffer buffer = here.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
        byte[] bytes = new byte[length];
        here.nextBytes(bytes);
        long position = here.nextInt(1_000);
        return switch (here.nextInt(11)) {
            case 0, 1 -> channel.write(buffer.put(bytes).flip());
            case 2 -> channel.write(buffer.put(bytes).flip(), position);
            case 3, 4 -> channel.read(buffer) + "/" + buffer.flip().hashCode();
            case 5 -> channel.read(buffer, position) + "/" + buffer.flip().hashCode();
            case 6 -> channel.position(position).position();
            case 7 -> channel.truncate(position).size();
            case 8 -> {
                channel.force(here.nextBoolean());
                yield channel.position();
            }
            case 9 -> channel.write(new ByteBuffer[] {buffer.put(bytes).flip(), ByteBuffer.wrap(bytes)});
            default -> {
                ByteBuffer second = ByteBuffer.allocate(50);
                long read = channel.read(new ByteBuffer[] {buffer, second});
                yield read + "/" + buffer.flip().hashCode() + "/"
                        + second.flip().hashCode();
            }
        };
    }

    private String list(Path path) {
        String glob = random.nextBoolean() ? "*" : "{a,[b-c],.?}";
        return outcome("list " + shown(path) + " " + glob, () -> {
            Set<String> found = new TreeSet<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, glob)) {
                entries.forEach(entry -> found.add(shown(entry)));
            }
            return found;
        });
    }

    private String walk(Path path) {
        FileVisitOption[] options = some(new FileVisitOption[0], FileVisitOption.FOLLOW_LINKS);
        return outcome("walk " + shown(path) + " " + sorted(options), () -> {
            try (Stream<Path> found = Files.walk(path, 5, options)) {
                return found.map(this::shown).collect(Collectors.toCollection(TreeSet::new));
            }
        });
    }

    private CopyOption[] copyOptions(CopyOption last) {
        return some(new CopyOption[0], StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.REPLACE_EXISTING, last);
    }

    private String copy(Path from, Path to) {
        CopyOption[] options =
                copyOptions(random.nextBoolean() ? StandardCopyOption.COPY_ATTRIBUTES : LinkOption.NOFOLLOW_LINKS);
        return outcome(
                "copy " + shown(from) + " to " + shown(to) + " " + sorted(options),
                () -> shown(Files.copy(from, to, options)));
    }

    /**
     * The default file system deletes what is to be replaced before it moves the file, and then does not find the file if its path leads
     * through a symbolic link that it has deleted. An NFS RENAME replaces the link. So such links are deleted beforehand.
     */
    private String move(Path from, Path to) {
        CopyOption[] options = copyOptions(StandardCopyOption.ATOMIC_MOVE);
        return outcome("move " + shown(from) + " to " + shown(to) + " " + sorted(options), () -> {
            List<CopyOption> chosen = List.of(options);
            if (chosen.contains(StandardCopyOption.REPLACE_EXISTING)
                    && !chosen.contains(StandardCopyOption.ATOMIC_MOVE)
                    && Files.isSymbolicLink(to)
                    && !from.equals(to)) {
                Files.delete(to);
            }
            return shown(Files.move(from, to, options));
        });
    }

    private String symbolicLink(Path path) {
        Path target = root.getFileSystem().getPath(TARGETS.get(random.nextInt(TARGETS.size())));
        return outcome(
                "symbolic link " + shown(path) + " to " + target, () -> shown(Files.createSymbolicLink(path, target)));
    }

    private String attributes(Path path) {
        LinkOption[] options = some(new LinkOption[0], LinkOption.NOFOLLOW_LINKS);
        return outcome("attributes " + shown(path) + " " + sorted(options), () -> described(path, options));
    }

    private String described(Path path, LinkOption... options) throws IOException {
        PosixFileAttributes all = Files.readAttributes(path, PosixFileAttributes.class, options);
        String type = all.isDirectory() ? "directory" : all.isRegularFile() ? "file of " + all.size() : "link";
        return type + " " + PosixFilePermissions.toString(all.permissions()) + " "
                + (all.isDirectory() ? "" : Files.getAttribute(path, nlink, options)) + " "
                + new TreeMap<>(
                        Files.readAttributes(path, "isDirectory,isRegularFile,isSymbolicLink,isOther", options));
    }

    private String change(Path path) {
        FileTime time = FileTime.from(Instant.ofEpochSecond(random.nextInt(), 1000L * random.nextInt(1_000_000)));
        if (time.toMillis() >= 0 && random.nextBoolean()) {
            return outcome("setLastModifiedTime " + shown(path) + " " + time, () -> {
                Files.setLastModifiedTime(path, time);
                return Files.getLastModifiedTime(path);
            });
        }
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(List.of(some(new PosixFilePermission[0], PosixFilePermission.values())));
        return outcome("setPosixFilePermissions " + shown(path), () -> {
            Files.setPosixFilePermissions(path, permissions);
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        });
    }

    private String questions(Path path, Path other) {
        return switch (random.nextInt(4)) {
            case 0 -> outcome("toRealPath " + shown(path), () -> shown(path.toRealPath()));
            case 1 -> outcome("isSameFile " + shown(path) + " " + shown(other), () -> Files.isSameFile(path, other));
            case 2 -> outcome("isHidden " + shown(path), () -> Files.isHidden(path));
            default ->
                outcome(
                        "questions " + shown(path),
                        () -> List.of(
                                Files.exists(path),
                                Files.exists(path, LinkOption.NOFOLLOW_LINKS),
                                !Files.exists(path) && (Files.notExists(path) || leadsThroughFile(path)),
                                Files.isDirectory(path),
                                Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS),
                                Files.isSymbolicLink(path),
                                Files.isReadable(path),
                                Files.isWritable(path),
                                Files.isExecutable(path)));
        };
    }

    /** The whole content of the directory. */
    String tree() throws IOException {
        StringBuilder tree = new StringBuilder();
        List<Path> all;
        try (Stream<Path> found = Files.walk(root)) {
            all = found.sorted().toList();
        }
        for (Path path : all) {
            tree.append(shown(path)).append(' ').append(described(path, LinkOption.NOFOLLOW_LINKS));
            if (Files.isSymbolicLink(path)) {
                tree.append(" to ").append(Files.readSymbolicLink(path));
            } else if (Files.isRegularFile(path)) {
                tree.append(' ').append(Arrays.hashCode(Files.readAllBytes(path)));
            }
            tree.append('\n');
        }
        return tree.toString();
    }
}
