// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;

import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.posix.Locations.Location;
import org.junit.jupiter.api.Test;

class LocationsTest {
    private static final FileId DIRECTORY = new FileId(new byte[] {0});

    private final Locations locations = new Locations(100);

    private static FileId file(int number) {
        return new FileId(new byte[] {1, (byte) number});
    }

    private static Location at(String name) {
        return new Location(DIRECTORY, FileName.of(name));
    }

    private int remembered() {
        int names = 0;
        for (int i = 0; i < 100; i++) {
            names += locations.of(file(i)).size();
        }
        return names;
    }

    /** Each takes memory, and clients make as many as they like. */
    @Test
    void everyNameCounts() {
        for (int i = 0; i < 100; i++) {
            for (int link = 0; link < 4; link++) {
                locations.add(file(i), at("name " + link));
            }
        }
        assertThat(remembered()).isEqualTo(100);
        assertThat(locations.of(file(74))).isEmpty();
        assertThat(locations.of(file(75))).hasSize(4);
    }

    @Test
    void whatIsForgottenMakesRoom() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100; i++) {
                locations.add(file(i), at("name " + round));
                locations.add(file(i), at("name " + round));
            }
            assertThat(remembered()).isEqualTo(100);
            for (int i = 0; i < 100; i++) {
                locations.remove(file(i), at("name " + round));
                locations.remove(file(i), at("another"));
            }
            assertThat(remembered()).isZero();
        }
    }

    @Test
    void theFilesThatWereUsedLastAreKept() {
        for (int i = 0; i < 100; i++) {
            locations.add(file(i), at("name"));
        }
        assertThat(locations.of(file(0))).hasSize(1);
        locations.add(file(100), at("name"));
        assertThat(locations.of(file(0))).hasSize(1);
        assertThat(locations.of(file(1))).isEmpty();
    }
}
