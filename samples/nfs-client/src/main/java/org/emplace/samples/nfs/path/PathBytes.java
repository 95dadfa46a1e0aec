// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.path;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Paths of the JDK's own file system on Unix as bytes, and back. Paths hold bytes there, but their text form goes through the locale's charset,
 * which loses what it cannot express. The URI form escapes bytes, whatever the locale, so they go through it. Only runs of slashes become
 * single ones.
 */
public final class PathBytes {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** Nothing can stand below it: a path's URI ends in a slash if there is a directory, and none is to be looked at. */
    private static final Path NOWHERE = Path.of("/dev/null");

    private static final int NOWHERE_LENGTH = "/dev/null/".length();

    private PathBytes() {}

    /**
     * The path of these bytes: absolute if they begin with a slash, relative else.
     *
     * @param bytes at least one, none of them zero
     */
    public static Path path(byte[] bytes) {
        if (bytes[0] == '/') {
            return absolute(bytes, 1);
        }
        Path absolute = absolute(bytes, 0);
        return absolute.subpath(0, absolute.getNameCount());
    }

    /** The bytes of a path, which need not exist. */
    public static byte[] of(Path path) {
        String text = path.toString();
        if (isAscii(text)) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
        if (!path.isAbsolute()) {
            return relative(path);
        }
        byte[] relative = relative(path.subpath(0, path.getNameCount()));
        byte[] absolute = new byte[relative.length + 1];
        absolute[0] = '/';
        System.arraycopy(relative, 0, absolute, 1, relative.length);
        return absolute;
    }

    /** The absolute path of a slash and the bytes from {@code start} on. */
    private static Path absolute(byte[] bytes, int start) {
        StringBuilder uri = new StringBuilder("file:///");
        for (int i = start; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (b < 0x80 && Character.isLetterOrDigit(b)) {
                uri.append((char) b);
            } else {
                uri.append('%').append(HEX[b >> 4]).append(HEX[b & 0xf]);
            }
        }
        return Path.of(URI.create(uri.toString()));
    }

    private static byte[] relative(Path relative) {
        String escaped = NOWHERE.resolve(relative).toUri().getRawPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = NOWHERE_LENGTH; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toByteArray();
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
