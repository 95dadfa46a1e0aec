// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import org.emplace.xdr.XdrString;

/**
 * Names of files, which are bytes and need not be text in any encoding. They pass between the server and the local file system as they
 * are, whatever the locale: by file URIs, whose {@code %XX} stand for the bytes of a local name.
 */
public final class FileName {
    private static final XdrString DOT = XdrString.of(".");
    private static final XdrString DOT_DOT = XdrString.of("..");

    private static final Path ROOT = Path.of("/");

    private FileName() {}

    /** Whether the bytes can name an entry of a directory: not empty, no slash, no zero byte, neither of the dots. */
    public static boolean isValid(XdrString name) {
        for (byte b : name.bytes()) {
            if (b == '/' || b == 0) {
                return false;
            }
        }
        return name.length() > 0 && !isDots(name);
    }

    /** Whether it is the directory itself or its parent. */
    public static boolean isDots(XdrString name) {
        return name.equals(DOT) || name.equals(DOT_DOT);
    }

    /**
     * The bytes of a local path: of a name in a directory, or of a symbolic link's target, which may be relative and may hold double
     * dots.
     */
    public static XdrString of(Path path) {
        if (!isOnDisk(path)) {
            return XdrString.of(path.toString());
        }
        String encoded = (path.isAbsolute() ? path : ROOT.resolve(path)).toUri().getRawPath();
        // A file URI ends with a slash where there happens to be a directory; the path's own text says whether it has
        // one.
        int end = encoded.endsWith("/") && !path.toString().endsWith("/") ? encoded.length() - 1 : encoded.length();
        return XdrString.of(decode(encoded.substring(path.isAbsolute() ? 0 : 1, end)));
    }

    /**
     * The entry of a local directory with this name: never a path to anywhere else.
     *
     * @throws IOException if the name, which may come from a server that is up to no good, would lead out of the directory
     */
    public static Path in(Path directory, XdrString name) throws IOException {
        if (!isValid(name)) {
            throw new IOException("the server sent '" + printable(name) + "', which is no file's name");
        }
        return directory.resolve(path(directory, name));
    }

    /** A symbolic link's target as a local path. */
    public static Path target(Path link, XdrString target) throws IOException {
        for (byte b : target.bytes()) {
            if (b == 0) {
                throw new IOException("the server sent a symbolic link with a zero byte in it");
            }
        }
        if (target.length() == 0) {
            throw new IOException("the server sent an empty symbolic link");
        }
        return path(link, target);
    }

    private static Path path(Path like, XdrString bytes) {
        if (!isOnDisk(like)) {
            return like.getFileSystem().getPath(bytes.toString());
        }
        boolean absolute = bytes.bytes()[0] == '/';
        Path rooted = Path.of(URI.create("file:///" + encode(bytes.bytes(), absolute ? 1 : 0)));
        return absolute || rooted.getNameCount() == 0 ? rooted : rooted.subpath(0, rooted.getNameCount());
    }

    private static boolean isOnDisk(Path path) {
        return path.getFileSystem().equals(FileSystems.getDefault());
    }

    private static String encode(byte[] bytes, int from) {
        StringBuilder text = new StringBuilder();
        for (int at = from; at < bytes.length; at++) {
            int b = bytes[at] & 0xff;
            if (b == '/' || b == '.' || (b < 0x80 && Character.isLetterOrDigit(b))) {
                text.append((char) b);
            } else {
                text.append('%').append(Character.forDigit(b >> 4, 16)).append(Character.forDigit(b & 15, 16));
            }
        }
        return text.toString();
    }

    private static byte[] decode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int length = 0;
        for (int at = 0; at < encoded.length(); at++) {
            char c = encoded.charAt(at);
            if (c == '%') {
                bytes[length++] = (byte) Integer.parseInt(encoded.substring(at + 1, at + 3), 16);
                at += 2;
            } else {
                bytes[length++] = (byte) c;
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    /** The name as text for a terminal: bytes that are not UTF-8, and control characters, are replaced. */
    public static String printable(XdrString name) {
        String text = new String(name.bytes(), StandardCharsets.UTF_8);
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(c -> Character.isISOControl(c) ? '?' : c).forEach(printable::appendCodePoint);
        return printable.toString();
    }
}
