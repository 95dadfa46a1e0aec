// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrincipalMapTest {
    private static final Caller ADA = new Caller(1001, 100, Set.of());

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
        Optional<Caller> root = found(users, "root@EXAMPLE.COM");
        assertThat(root.map(Caller::uid)).contains(0L);
        assertThat(root.map(Caller::gid)).contains(0L);
        assertThat(root.orElseThrow().isIn(0)).isTrue();
        assertThat(found(users, "root@EXAMPLE.COM")).isEqualTo(root);
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
        assertThat(found(new SystemUsers("EXAMPLE.COM"), principal)).isEmpty();
    }

    /** What a client finds that tries again. */
    private static Optional<Caller> found(PrincipalMap users, String principal) {
        return await().ignoreExceptions().until(() -> users.find(principal), found -> true);
    }

    private static void assertNotKnownYet(SystemUsers users, String name) {
        assertThatThrownBy(() -> users.find(name + "@R"))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("a user could not be looked up")
                .extracting("failure")
                .isEqualTo(Failure.JUKEBOX);
    }

    /** As when a directory service does not answer. */
    @Test
    void aLookUpThatLastsHoldsUpNoCallAndIsTheOnlyOneOfItsName() {
        CountDownLatch answered = new CountDownLatch(1);
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        SystemUsers users = new SystemUsers("R", name -> {
            asked.add(name);
            awaitAnswer(answered);
            return Optional.of(ADA);
        });
        for (int i = 0; i < 3; i++) {
            assertNotKnownYet(users, "ada");
        }
        assertThat(asked).containsExactly("ada");
        answered.countDown();
        assertThat(found(users, "ada@R")).contains(ADA);
        assertThat(asked).containsExactly("ada");
    }

    @Test
    void lookUpsThatLastDoNotHoldUpUsersThatAreKnown() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        SystemUsers users = new SystemUsers("R", name -> {
            if (!name.equals("ada")) {
                running.incrementAndGet();
                awaitAnswer(answered);
            }
            return Optional.of(ADA);
        });
        assertThat(found(users, "ada@R")).contains(ADA);
        for (int i = 0; i < 6; i++) {
            assertNotKnownYet(users, "user" + i);
        }
        await().untilAsserted(() -> assertThat(running).as("threads that wait").hasValue(4));
        assertThat(users.find("ada@R")).contains(ADA);
        answered.countDown();
        assertThat(found(users, "user5@R")).contains(ADA);
    }

    private static void awaitAnswer(CountDownLatch answered) throws IOException {
        try {
            answered.await();
        } catch (InterruptedException closing) {
            throw new IOException(closing);
        }
    }

    /** A look-up that fails does not mean that there is no such user. */
    @Test
    void aLookUpThatFailsIsTriedAgain() {
        Queue<String> failures = new ConcurrentLinkedQueue<>(List.of("no descriptors"));
        SystemUsers users = new SystemUsers("R", name -> {
            String failure = failures.poll();
            if (failure != null) {
                throw new IOException(failure);
            }
            return Optional.of(ADA);
        });
        assertNotKnownYet(users, "ada");
        assertThat(found(users, "ada@R")).contains(ADA);
    }
}
