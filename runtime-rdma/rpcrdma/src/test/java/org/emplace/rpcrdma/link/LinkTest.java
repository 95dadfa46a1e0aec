// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The events that a link passes on to its connection. */
final class LinkTest {
    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final List<String> calls = new ArrayList<>();
    private final Link link = Links.over(
            (QueuePair) Proxy.newProxyInstance(
                    QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                        calls.add(method.getName());
                        return null;
                    }),
            Timekeeper.system("test"),
            provider,
            new OwnReceives(new RegisteredPool(provider, 1 << 20), 1024, 1, 1));

    LinkTest() throws Exception {}

    @Test
    void threadsThatWaitHelpTheConnection() {
        link.helpUntil(() -> true);
        link.wakeHelper();

        assertThat(calls).containsExactly("helpUntil", "wakeHelper");
    }

    @Test
    void messagesNameTheConnectionAndTheCall() {
        assertThat(link.call(0x5eed)).isEqualTo("test xid 0x00005eed");
    }
}
