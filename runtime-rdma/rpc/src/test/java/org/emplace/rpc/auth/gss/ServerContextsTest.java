// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.reactor.Peer;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.junit.jupiter.api.Test;

final class ServerContextsTest {
    private static final int MOST = 80;
    private static final int OF_ADDRESS = MOST / 8;

    private final AtomicLong now = new AtomicLong();
    private final ServerContexts contexts = new ServerContexts(MOST, now::get);
    private final Peer first = Peer.of(InetAddress.getLoopbackAddress());
    private final Peer second = Peer.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 2}));

    ServerContextsTest() throws Exception {}

    /** Contexts that are not established have a lifetime as long as any. */
    private List<ServerContexts.Entry> added(Peer peer, int count, int token) throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSName name = manager.createName("nfs@localhost", GSSName.NT_HOSTBASED_SERVICE);
        List<ServerContexts.Entry> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            now.incrementAndGet();
            GSSContext context =
                    manager.createContext(name, SecurityContext.KERBEROS, null, GSSContext.INDEFINITE_LIFETIME);
            added.add(contexts.add(new SecurityContext(context), peer, token));
        }
        return added;
    }

    private boolean isKept(ServerContexts.Entry entry) {
        return contexts.find(entry.handle()) != null;
    }

    @Test
    void anAddressLosesTheContextThatItHasNotUsedForLongest() throws Exception {
        ServerContexts.Entry others = added(second, 1, 0).get(0);
        List<ServerContexts.Entry> own = added(first, OF_ADDRESS, 0);
        now.incrementAndGet();
        own.get(0).requireNew(1);
        added(first, 1, 0);
        assertThat(own.stream().map(this::isKept).toList())
                .startsWith(true, false, true)
                .hasSize(OF_ADDRESS);
        assertThat(isKept(others)).isTrue();
        assertThat(contexts.size()).isEqualTo(OF_ADDRESS + 1);
    }

    /** As those of users in very many groups are. */
    @Test
    void anAddressHasFewerContextsWithLongTokens() throws Exception {
        ServerContexts.Entry others = added(second, 1, 0).get(0);
        added(first, 100, 64 * 1024);
        assertThat(contexts.size()).isEqualTo(2);
        added(first, 100, 12 * 1024);
        assertThat(contexts.size()).isEqualTo(1 + 5);
        assertThat(isKept(others)).isTrue();
    }

    @Test
    void contextsThatAreNotUsedForAnHourAreForgotten() throws Exception {
        List<ServerContexts.Entry> some = added(first, 2, 0);
        now.addAndGet(TimeUnit.MINUTES.toNanos(59));
        assertThat(isKept(some.get(0))).isTrue();
        some.get(0).requireNew(1);
        now.addAndGet(TimeUnit.MINUTES.toNanos(2));
        assertThat(some.stream().map(this::isKept)).containsExactly(true, false);
        added(second, 1, 0);
        assertThat(contexts.size()).as("whatever address adds one").isEqualTo(2);
    }

    @Test
    void noContextIsOlderThanADay() throws Exception {
        ServerContexts.Entry one = added(first, 1, 0).get(0);
        for (int hour = 0; hour < 24; hour++) {
            assertThat(isKept(one)).isTrue();
            one.requireNew(hour);
            now.addAndGet(TimeUnit.MINUTES.toNanos(60) - 1);
        }
        now.addAndGet(24);
        assertThat(isKept(one)).isFalse();
    }

    @Test
    void allAddressesTogetherHaveTheMost() throws Exception {
        List<ServerContexts.Entry> all = new ArrayList<>();
        for (byte host = 1; host <= 10; host++) {
            all.addAll(added(Peer.of(InetAddress.getByAddress(new byte[] {10, 0, 1, host})), OF_ADDRESS, 0));
        }
        assertThat(contexts.size()).isEqualTo(MOST);
        List<ServerContexts.Entry> kept = new ArrayList<>(all.subList(2, MOST));
        kept.addAll(List.of(all.get(89), all.get(99)));
        assertThat(all.stream().filter(this::isKept))
                .as("the two addresses for which there was no room have one each")
                .containsExactlyElementsOf(kept);
    }
}
