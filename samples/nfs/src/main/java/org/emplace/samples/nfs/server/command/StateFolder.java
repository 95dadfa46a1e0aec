// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a server keeps what outlives it, by the XDG Base Directory Specification. */
final class StateFolder {
    private static final int NAME_BYTES = 8;

    private StateFolder() {}

    /** The folder for an export, by its real path. */
    static Path of(Path export, Map<String, String> environment) {
        return home(environment).resolve("emplace-nfs").resolve(name(export));
    }

    private static Path home(Map<String, String> environment) {
        @Nullable String home = environment.get("XDG_STATE_HOME");
        return home != null && Path.of(home).isAbsolute()
                ? Path.of(home)
                : Path.of(System.getProperty("user.home"), ".local", "state");
    }

    private static String name(Path export) {
        try {
            byte[] path = export.toUri().getRawPath().getBytes(StandardCharsets.US_ASCII);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(path);
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
