// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.Caller;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrincipalMapTest {
    @TempDir
    private Path temporary;

    private PrincipalMap file(String text) throws IOException {
        return PrincipalMap.of(Files.writeString(temporary.resolve("map"), text));
    }

    @Test
    void aFileNamesUsersByTheirNumbers() throws IOException {
        PrincipalMap map = file("# staff\n\nada@EXAMPLE.COM 1001 100 27 30\n  bob@EXAMPLE.COM\t1002 100\n");
        assertThat(map.find("ada@EXAMPLE.COM")).contains(new Caller(1001, 100, Set.of(27L, 30L)));
        assertThat(map.find("bob@EXAMPLE.COM")).contains(new Caller(1002, 100, Set.of()));
        assertThat(map.find("bob@OTHER.COM")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@R 1",
                "ada 1 1",
                "ada@R one 1",
                "ada@R 1 1 -1",
                "@R 1 1",
                "ada@R 1 12345678901",
                "ada@R -1 1",
                "a@R 1 1\na@R 2 1"
            })
    void aMalformedLineIsNamed(String line) {
        assertThatThrownBy(() -> file("\n" + line))
                .isInstanceOf(IOException.class)
                .hasMessageMatching(".*map:[23]: .*");
    }

    /** FreeIPA gives such. */
    @Test
    void numbersHave32Bits() throws IOException {
        PrincipalMap map = file("ada@R 1500000001 4294967294 3000000000\n");
        assertThat(map.find("ada@R")).contains(new Caller(1_500_000_001L, 4_294_967_294L, Set.of(3_000_000_000L)));
        assertThatThrownBy(() -> file("ada@R 1 4294967295"))
                .hasMessageEndingWith("map:1: '4294967295' is not the number of a user or group, 0 to 4294967294");
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = temporary.resolve("missing");
        assertThatThrownBy(() -> PrincipalMap.of(missing))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage(missing + ": there is no such file with principals");
    }

    @Test
    void theFirstMapThatKnowsAPrincipalCounts() throws IOException {
        PrincipalMap map = file("root@EXAMPLE.COM 7 7\n").or(new SystemUsers("EXAMPLE.COM"));
        assertThat(map.find("root@EXAMPLE.COM").map(Caller::uid)).contains(7L);
    }

    /** Every Unix system has a user 0 of this name. */
    @Test
    void usersOfTheSystemAreFoundInTheServersRealm() {
        SystemUsers users = new SystemUsers("EXAMPLE.COM");
        Optional<Caller> root = users.find("root@EXAMPLE.COM");
        assertThat(root.map(Caller::uid)).contains(0L);
        assertThat(root.map(Caller::gid)).contains(0L);
        assertThat(root.orElseThrow().isIn(0)).isTrue();
        assertThat(users.find("root@EXAMPLE.COM")).isEqualTo(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root@OTHER.COM",
                "root",
                "root/admin@EXAMPLE.COM",
                "nfs/root@EXAMPLE.COM",
                "no-such-user-here@EXAMPLE.COM",
                "@EXAMPLE.COM",
                "root@X@EXAMPLE.COM",
                "root\0x@EXAMPLE.COM",
                "root@example.com"
            })
    void otherPrincipalsAreNoUsers(String principal) {
        assertThat(new SystemUsers("EXAMPLE.COM").find(principal)).isEmpty();
    }
}
