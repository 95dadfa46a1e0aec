// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountsTest {
    @TempDir
    Path temporary;

    @Test
    void namesHaveTheNumbersOfTheFiles() throws IOException {
        Path passwd = Files.writeString(
                temporary.resolve("passwd"),
                "root:x:0:0::/root:/bin/sh\nann:x:1001:100::/:/bin/sh\nbad line\nodd:x:-1:3\n");
        Path group = Files.writeString(temporary.resolve("group"), "users:x:100:ann\nroot:x:0:\n");
        Accounts accounts = Accounts.read(passwd, group);
        assertThat(accounts.uid("ann")).isEqualTo(1001);
        assertThat(accounts.gid("users")).isEqualTo(100);
        assertThat(accounts.user(1001)).contains("ann");
        assertThat(accounts.group(0)).contains("root");
        for (String unknown : new String[] {"nobody at all", "bad line", "odd"}) {
            assertThat(accounts.uid(unknown)).isEqualTo(Accounts.NOBODY);
        }
        assertThat(accounts.user(77)).isEmpty();
    }

    @Test
    void aSystemWithoutTheFilesHasNoAccounts() throws IOException {
        Accounts accounts = Accounts.read(temporary.resolve("none"), temporary.resolve("none"));
        assertThat(accounts.uid("root")).isEqualTo(Accounts.NOBODY);
        assertThat(accounts.group(0)).isEmpty();
    }
}
