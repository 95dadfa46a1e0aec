// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The library with this package's native methods: loading it, and the layout of the structures that Java and C exchange. It is searched in this order:
 *
 * <ol>
 *   <li>the file that the system property {@value #PROPERTY} names; if the property is set, nothing else is tried
 *   <li>{@code java.library.path}
 *   <li>the copy in this module's jar, which is extracted to a temporary directory of the user while it is loaded
 * </ol>
 */
public final class NativeLibrary {
    /** The system property with the path of the library to load. */
    public static final String PROPERTY = "org.emplace.rdma.verbs.library";

    /** Kinds of structure, for {@link #layout}. */
    public static final int EVENT = 0;

    /** See {@link #EVENT}. */
    public static final int SEND_REQUEST = 1;

    /** See {@link #EVENT}. */
    public static final int SCATTER_GATHER = 2;

    /** See {@link #EVENT}. */
    public static final int RECEIVE_REQUEST = 3;

    /** See {@link #EVENT}. */
    public static final int COMPLETION = 4;

    private static final String NAME = "emplace_verbs";
    private static final Pattern PATH_SEPARATOR = Pattern.compile(File.pathSeparator, Pattern.LITERAL);
    private static final Pattern MISSING = Pattern.compile("(lib[\\w.-]+\\.so[\\w.]*): cannot open shared object file");

    private NativeLibrary() {}

    /**
     * Loads the library at the first call.
     *
     * @return empty if the native methods can be called; else the reason, in one line
     */
    public static Optional<String> unavailable() {
        return Loaded.PROBLEM;
    }

    /** The outcome of the only attempt: the virtual machine loads a library once per class loader. */
    private static final class Loaded {
        static final Optional<String> PROBLEM = load();
    }

    private static Optional<String> load() {
        String path = System.getProperty(PROPERTY);
        try {
            if (path != null) {
                System.load(Path.of(path).toAbsolutePath().toString());
            } else if (!loadFromLibraryPath()) {
                return loadPacked();
            }
            return Optional.empty();
        } catch (UnsatisfiedLinkError e) {
            return Optional.of(reason(e));
        }
    }

    /** Loads the library from {@code java.library.path}, if it is there. If that library cannot be loaded, nothing else is tried. */
    private static boolean loadFromLibraryPath() {
        String file = System.mapLibraryName(NAME);
        boolean there = PATH_SEPARATOR
                .splitAsStream(System.getProperty("java.library.path", ""))
                .anyMatch(directory -> !directory.isEmpty() && Files.exists(Path.of(directory, file)));
        if (there) {
            System.loadLibrary(NAME);
        }
        return there;
    }

    private static Optional<String> loadPacked() {
        String platform = platform();
        String resource = "/META-INF/native/" + platform + "/" + System.mapLibraryName(NAME);
        try (InputStream packed = NativeLibrary.class.getResourceAsStream(resource)) {
            if (packed == null) {
                return Optional.of("this build has no native library for " + platform);
            }
            Path directory = Files.createTempDirectory(
                    "emplace-verbs",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path file = directory.resolve(System.mapLibraryName(NAME));
            try {
                Files.copy(packed, file);
                System.load(file.toString());
            } finally {
                // A loaded library stays mapped without its file.
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(
                    "the native library could not be unpacked to " + System.getProperty("java.io.tmpdir") + ": " + e);
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String architecture = System.getProperty("os.arch");
        return system + "-" + (architecture.equals("amd64") ? "x86_64" : architecture);
    }

    private static String reason(UnsatisfiedLinkError error) {
        String message = String.valueOf(error.getMessage());
        Matcher missing = MISSING.matcher(message);
        if (missing.find()) {
            return missing.group(1) + " is not installed (Debian: librdmacm1, ibverbs-providers)";
        }
        return message.lines().findFirst().orElse("the native library could not be loaded");
    }

    /**
     * The layout of a structure: its size, then the offset of each field in the order below. Only C defines them. The width of each field is given in bytes.
     *
     * <ul>
     *   <li>EVENT: id (8), listener (8, of a connection request), type (4, an {@code rdma_cm_event_type}), status (4), responder
     *       resources (4), initiator depth (4), length of the private data (4); the private data (at most 256) start at size
     *   <li>SEND_REQUEST: id (8), remote address (8), window (8, handle), region (8, handle), opcode (4: {@link Libibverbs#SEND} ...),
     *       flags (4: {@link Libibverbs#SIGNALED} ...), remote key or key to invalidate or the window's new key (4), number of scatter/gather
     *       elements that follow (4). A bind has one element, the range, and its rights in the field "access" (4)
     *   <li>SCATTER_GATHER: address (8), length (4), local key (4)
     *   <li>RECEIVE_REQUEST: id (8), number of scatter/gather elements that follow (4)
     *   <li>COMPLETION: id (8), status (4, an {@code ibv_wc_status}), opcode (4, an {@code ibv_wc_opcode}), length (4), flags (4, of {@code
     *       ibv_wc_flags}), invalidated key (4, meaningful by the flags), vendor error (4), queue pair number (4)
     * </ul>
     */
    public static native int[] layout(int structure);
}
