// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of users and groups, which Hadoop knows only by name. They come from this machine's passwd(5) and group(5) files, read when the store is
 * opened. Safe for use by several threads.
 */
final class Accounts {
    /** The number for names without one. */
    static final long NOBODY = 65534;

    private static final long MOST = 0xffffffffL;

    private final Map<String, Long> uids;
    private final Map<String, Long> gids;
    private final Map<Long, String> users;
    private final Map<Long, String> groups;

    private Accounts(Map<String, Long> uids, Map<String, Long> gids) {
        this.uids = uids;
        this.gids = gids;
        this.users = byNumber(uids);
        this.groups = byNumber(gids);
    }

    /** The accounts of this machine at present. */
    static Accounts ofThisMachine() throws IOException {
        return read(Path.of("/etc/passwd"), Path.of("/etc/group"));
    }

    /** Reads both files; one that does not exist has no accounts. */
    static Accounts read(Path passwd, Path group) throws IOException {
        return new Accounts(numbers(passwd), numbers(group));
    }

    /** Both files have the name in the first column and the number in the third. */
    private static Map<String, Long> numbers(Path file) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                String[] columns = line.split(":", -1);
                if (columns.length > 2 && columns[2].matches("[0-9]{1,10}") && !columns[0].isEmpty()) {
                    numbers.putIfAbsent(columns[0], Math.min(Long.parseLong(columns[2]), MOST));
                }
            }
        } catch (NoSuchFileException e) {
            // A system without such files has no accounts.
        }
        return numbers;
    }

    private static Map<Long, String> byNumber(Map<String, Long> numbers) {
        Map<Long, String> names = new HashMap<>();
        numbers.forEach(
                (name, number) -> names.merge(number, name, (one, other) -> one.compareTo(other) < 0 ? one : other));
        return names;
    }

    /** A user's number; {@link #NOBODY} if there is none. */
    long uid(String user) {
        return uids.getOrDefault(user, NOBODY);
    }

    /** A group's number; {@link #NOBODY} if there is none. */
    long gid(String group) {
        return gids.getOrDefault(group, NOBODY);
    }

    /** The user with a number. */
    Optional<String> user(long uid) {
        return Optional.ofNullable(users.get(uid));
    }

    /** The group with a number. */
    Optional<String> group(long gid) {
        return Optional.ofNullable(groups.get(gid));
    }
}
