// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Peers choose the fields of their calls' keys. A map finds keys with the same hash quickly because keys have an order.
 */
final class ReplyCacheKeyTest {
    private static final int PROGRAM = 100003;

    @Test
    void keysThatAPeerChoosesForTheSameHashHaveAnOrder() throws Exception {
        List<ReplyCache.Key> keys = new ArrayList<>();
        InetAddress peer = InetAddress.getLoopbackAddress();
        for (int xid = 0; xid < 1000; xid++) {
            // In the hash, the xid counts 31 times as much as the checksum.
            keys.add(key(peer, xid, -xid * 31));
        }
        assertThat(keys.stream().map(ReplyCache.Key::hashCode).distinct()).hasSize(1);

        List<ReplyCache.Key> sorted = new ArrayList<>(keys);
        Collections.reverse(sorted);
        Collections.sort(sorted);
        assertThat(sorted).isEqualTo(keys);
    }

    @Test
    void keysOfDifferentPeersAndCallersHaveAnOrder() throws Exception {
        InetAddress one = InetAddress.getLoopbackAddress();
        InetAddress other = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});

        assertThat(key(one, 1, 1)).isEqualByComparingTo(key(one, 1, 1)).isLessThan(key(other, 1, 1));
        assertThat(new ReplyCache.Key(other, false, Principal.class, "alice", 1, PROGRAM, 3, 8, 4, 1))
                .isLessThan(new ReplyCache.Key(one, false, Principal.class, "bob", 1, PROGRAM, 3, 8, 4, 1));
    }

    /** A service may admit privileged ports only. */
    @Test
    void aCallFromAPrivilegedPortIsNoDuplicateOfAnother() {
        InetAddress peer = InetAddress.getLoopbackAddress();

        assertThat(new ReplyCache.Key(peer, true, Principal.class, "caller", 1, PROGRAM, 3, 8, 4, 1))
                .isNotEqualTo(key(peer, 1, 1))
                .isEqualTo(new ReplyCache.Key(peer, true, Principal.class, "caller", 1, PROGRAM, 3, 8, 4, 1));
    }

    private static ReplyCache.Key key(InetAddress peer, int xid, int checksum) {
        return new ReplyCache.Key(peer, false, Principal.class, "caller", xid, PROGRAM, 3, 8, 4, checksum);
    }
}
