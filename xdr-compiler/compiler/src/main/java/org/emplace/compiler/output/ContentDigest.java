// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Identifies contents by SHA-256. */
public final class ContentDigest {

    private static final String ABSENT = "absent";

    private ContentDigest() {}

    /** The digest of a file's contents, or a word for a file that does not exist or is a folder. */
    public static String of(Path file) throws IOException {
        return Files.isRegularFile(file) ? of(Files.readAllBytes(file)) : ABSENT;
    }

    /** The digest of contents, in hexadecimal digits. */
    public static String of(byte[] contents) {
        return HexFormat.of().formatHex(algorithm().digest(contents));
    }

    /** The algorithm, for contents that arrive in parts. */
    public static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
