// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that makes and checks file handles. Kept in a file that only the server's user may read. Safe for use by several threads. */
final class HandleKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int LENGTH = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** Each thread's own, because finding a provider for it and deriving its state from the key takes longer than the code of a handle. */
    private final ThreadLocal<Mac> keyed;

    private HandleKey(byte[] secret) {
        SecretKeySpec key = new SecretKeySpec(secret, ALGORITHM);
        keyed = ThreadLocal.withInitial(() -> keyed(key));
    }

    /**
     * Reads the key from a file. If the file does not exist, creates it with a new key.
     *
     * @throws IOException also if others than its owner may read the file, or it does not hold a key
     */
    static HandleKey in(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        try {
            create(file, posix);
        } catch (FileAlreadyExistsException e) {
            if (posix && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
                throw new IOException(file
                        + " holds the key of the file handles, but others may read it; chmod 600, or remove it so that a new"
                        + " one is made and clients mount again");
            }
        }
        byte[] secret = Files.readAllBytes(file);
        if (secret.length != LENGTH) {
            throw new IOException(
                    file + " does not hold a key of " + LENGTH + " bytes; remove it, so that a new one is made");
        }
        return new HandleKey(secret);
    }

    private static void create(Path file, boolean posix) throws IOException {
        FileAttribute<?>[] ownerOnly = posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
        byte[] secret = new byte[LENGTH];
        try (FileChannel out =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly)) {
            new SecureRandom().nextBytes(secret);
            out.write(ByteBuffer.wrap(secret));
            out.force(true);
        }
    }

    /** A secret for another purpose, from which the key cannot be derived. */
    HandleKey derive(String purpose) {
        byte[] label = purpose.getBytes(StandardCharsets.UTF_8);
        return new HandleKey(authenticate(label, label.length));
    }

    /** The authentication code of the first {@code length} bytes: 32 bytes. */
    byte[] authenticate(byte[] bytes, int length) {
        Mac mac = keyed.get();
        try {
            mac.update(bytes, 0, length);
            return mac.doFinal();
        } catch (RuntimeException | Error broken) {
            // It may have kept a part of these bytes.
            keyed.remove();
            throw broken;
        }
    }

    private static Mac keyed(SecretKeySpec secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
