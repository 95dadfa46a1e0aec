// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Names of the JDK's own file system on Unix. Paths hold bytes there, but their text form goes through the locale's charset, which loses
 * what it cannot express. The URI form escapes bytes, whatever the locale, so names and link contents go through it; only runs of
 * slashes in a link's content become single ones.
 */
final class RawFileNames implements FileNames {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /** Nothing can stand below it: a path's URI ends in a slash if there is a directory, and none is to be looked at. */
    private static final Path NOWHERE = Path.of("/dev/null");

    private static final int NOWHERE_LENGTH = "/dev/null/".length();

    @Override
    public Path name(FileName name) throws ExportException {
        return path(FileNames.requireName(name), 0).getFileName();
    }

    @Override
    public FileName fileName(Path path) {
        return new FileName(bytesOf(path.getFileName()));
    }

    @Override
    public Path target(byte[] bytes) throws ExportException {
        FileNames.requireTarget(bytes);
        if (bytes[0] == '/') {
            return path(bytes, 1);
        }
        Path absolute = path(bytes, 0);
        return absolute.subpath(0, absolute.getNameCount());
    }

    @Override
    public byte[] targetBytes(Path target) {
        if (!target.isAbsolute() || isAscii(target.toString())) {
            return bytesOf(target);
        }
        byte[] relative = bytesOf(target.subpath(0, target.getNameCount()));
        byte[] absolute = new byte[relative.length + 1];
        absolute[0] = '/';
        System.arraycopy(relative, 0, absolute, 1, relative.length);
        return absolute;
    }

    /** The absolute path of a slash and the bytes from {@code start} on. */
    private static Path path(byte[] bytes, int start) {
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

    private static byte[] bytesOf(Path relativeOrAscii) {
        String text = relativeOrAscii.toString();
        return isAscii(text)
                ? text.getBytes(StandardCharsets.US_ASCII)
                : unescape(NOWHERE.resolve(relativeOrAscii).toUri().getRawPath(), NOWHERE_LENGTH);
    }

    private static byte[] unescape(String escaped, int start) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = start; i < escaped.length(); i++) {
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
