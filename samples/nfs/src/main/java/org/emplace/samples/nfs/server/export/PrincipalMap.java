// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Caller;
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
     */
    Optional<Caller> find(String principal);

    /** This map and, for principals that it does not have, another one. */
    default PrincipalMap or(PrincipalMap other) {
        return principal -> find(principal).or(() -> other.find(principal));
    }

    /**
     * Reads a file whose lines are {@code PRINCIPAL UID GID [GID ...]}, with the numbers of a user, its group and further groups. A line that begins
     * with # is a comment.
     *
     * @throws IOException also if a line is malformed; the message is one line that begins with the file and the line
     */
    static PrincipalMap of(Path file) throws IOException {
        Map<String, Caller> users = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+");
            boolean isNumbered = Arrays.stream(words).skip(1).allMatch(word -> word.matches("\\d{1,9}"));
            if (words.length < 3 || !isNumbered || words[0].indexOf('@') <= 0) {
                throw new IOException(file + ":" + (i + 1) + ": '" + line
                        + "' is not PRINCIPAL UID GID [GID ...], such as ada@EXAMPLE.ORG 1000 1000 27");
            }
            Set<Long> groups = new HashSet<>();
            for (int word = 3; word < words.length; word++) {
                groups.add(Long.valueOf(words[word]));
            }
            @Nullable
            Caller before = users.put(words[0], new Caller(Long.parseLong(words[1]), Long.parseLong(words[2]), groups));
            if (before != null) {
                throw new IOException(file + ":" + (i + 1) + ": " + words[0] + " has a line already");
            }
        }
        return principal -> Optional.ofNullable(users.get(principal));
    }
}
