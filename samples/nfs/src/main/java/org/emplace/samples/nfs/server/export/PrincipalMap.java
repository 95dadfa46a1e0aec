// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The users as whom Kerberos principals act. Implementations must be safe for use by several threads, and should be quick: they are asked at each call.
 */
@FunctionalInterface
public interface PrincipalMap {
    /** Knows nobody, so that everybody acts as the anonymous user of an export. */
    PrincipalMap NONE = principal -> Optional.empty();

    /**
     * The user of a principal.
     *
     * @param principal with its realm, such as {@code ada@EXAMPLE.ORG}
     * @return empty for a principal that is no user, such as a machine's; it acts as the anonymous user
     * @throws StoreException with JUKEBOX if that is not known in time
     */
    Optional<Caller> find(String principal) throws StoreException;

    /** This map and, for principals that it does not have, another one. */
    default PrincipalMap or(PrincipalMap other) {
        return principal -> {
            Optional<Caller> user = find(principal);
            return user.isPresent() ? user : other.find(principal);
        };
    }

    /**
     * Reads a file whose lines are {@code PRINCIPAL UID GID [GID ...]}, with the numbers of a user, its group and further groups. A line that begins
     * with # is a comment.
     *
     * @throws IOException also if there is no such file, or a line is malformed; the message is one line that begins with the file and the line
     */
    static PrincipalMap of(Path file) throws IOException {
        Map<String, Caller> users = new HashMap<>();
        int number = 0;
        for (String each : lines(file)) {
            number++;
            String line = each.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String at = file + ":" + number + ": ";
            String[] words = line.split("\\s+", -1);
            if (words.length < 3 || words[0].indexOf('@') <= 0) {
                throw new IOException(
                        at + "'" + line + "' is not PRINCIPAL UID GID [GID ...], such as ada@EXAMPLE.ORG 1000 1000 27");
            }
            Set<Long> groups = new HashSet<>();
            for (int word = 3; word < words.length; word++) {
                groups.add(id(at, words[word]));
            }
            @Nullable Caller before = users.put(words[0], new Caller(id(at, words[1]), id(at, words[2]), groups));
            if (before != null) {
                throw new IOException(at + words[0] + " has a line already");
            }
        }
        return principal -> Optional.ofNullable(users.get(principal));
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw new IOException(file + ": there is no such file with principals", missing);
        } catch (CharacterCodingException binary) {
            throw new IOException(file + ": this is not text in UTF-8", binary);
        }
    }

    /** The last number means no user and no group to the kernel. */
    private static long id(String at, String word) throws IOException {
        if (!word.matches("\\d{1,10}") || Long.parseLong(word) >= 0xffffffffL) {
            throw new IOException(at + "'" + word + "' is not the number of a user or group, 0 to 4294967294");
        }
        return Long.parseLong(word);
    }
}
