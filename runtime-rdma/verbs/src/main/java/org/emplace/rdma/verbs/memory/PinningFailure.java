// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.emplace.rdma.verbs.jni.NativeException;

/** Explains why memory could not be registered. The cause is nearly always the limit on locked memory, so the message names it and its remedies. */
final class PinningFailure {
    private static final int EPERM = 1;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LOCKED_MEMORY = "Max locked memory";

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private PinningFailure() {}

    static String explain(NativeException failure, int bytes) {
        String what = "cannot register " + bytes + " bytes (" + failure.getMessage() + ")";
        return switch (failure.errno()) {
            case EPERM, EAGAIN, ENOMEM ->
                what + "; this process may lock " + limit() + " in memory (RLIMIT_MEMLOCK)."
                        + " To raise that: 'ulimit -l unlimited', a memlock line in /etc/security/limits.conf, LimitMEMLOCK=infinity in a"
                        + " systemd unit, or docker run --ulimit memlock=-1";
            default -> what;
        };
    }

    private static String limit() {
        try {
            List<String> lines = Files.readAllLines(LIMITS);
            return lines.stream()
                    .filter(line -> line.startsWith(LOCKED_MEMORY))
                    .map(line ->
                            BLANKS.split(line.substring(LOCKED_MEMORY.length()).trim(), 2)[0])
                    .map(soft -> soft.equals("unlimited") ? "any amount" : soft + " bytes")
                    .findFirst()
                    .orElse("an unknown amount");
        } catch (IOException e) {
            return "an unknown amount";
        }
    }
}
