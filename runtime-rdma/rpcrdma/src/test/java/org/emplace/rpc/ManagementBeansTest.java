// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.awaitility.Awaitility;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rdma.provider.RdmaCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The MXBeans of servers and providers, as a JMX client sees them. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class ManagementBeansTest {
    private static final String PROPERTY = "org.emplace.jmx";

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @AfterEach
    void forgetTheProperty() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void withoutThePropertyThereAreNoBeans() throws Exception {
        try (RpcServer server = Loopback.serve(EchoProgram.service())) {
            new RdmaCounters("none");
            assertThat(server.addresses()).hasSize(1);
            assertThat(names("org.emplace.rpc:*")).isEmpty();
            assertThat(names("org.emplace.rdma:name=\"none\",*")).isEmpty();
        }
    }

    @Test
    void aServerShowsItsFiguresUntilItIsClosed() throws Exception {
        System.setProperty(PROPERTY, "true");
        ObjectName name;
        try (RpcServer server = Loopback.serve(EchoProgram.service());
                RpcServer another = Loopback.serve(EchoProgram.service())) {
            assertThat(another.addresses()).hasSize(1);
            assertThat(names("org.emplace.rpc:type=Server,*")).hasSize(2);
            name = new ObjectName("org.emplace.rpc:type=Server,id=1");
            String address = "tcp://127.0.0.1:" + server.addresses().get(0).getPort();
            assertThat((String[]) beans.getAttribute(name, "Addresses")).containsExactly(address);
            try (RpcConnection client = Rpc.connect(URI.create(address))) {
                client.call(EchoProgram.ECHO, 1, Destinations.none(), CallOptions.DEFAULT)
                        .await();
                Awaitility.await().until(() -> figures(name).size() == 1);
                assertThat(beans.getAttribute(name, "Connections")).isEqualTo(1);
            }
            CompositeData echo =
                    (CompositeData) figures(name).get(new Object[] {"ECHO"}).get("value");
            assertThat(echo.get("calls")).isEqualTo(1L);
            assertThat(echo.get("errors")).isEqualTo(0L);
            assertThat(echo.get("bytesReceived")).isEqualTo(44L);
            assertThat(echo.get("bytesSent")).isEqualTo(28L);
            assertThat((double) echo.get("seconds")).isPositive();
            TabularData outcomes = (TabularData) beans.getAttribute(name, "CallsByOutcome");
            assertThat(outcomes.get(new Object[] {"SUCCESS"}).get("value")).isEqualTo(1L);
        }
        assertThat(names("org.emplace.rpc:*")).isEmpty();
    }

    @Test
    void aProviderShowsItsCountersUntilItIsClosed() throws Exception {
        System.setProperty(PROPERTY, "true");
        RdmaCounters counters = new RdmaCounters("one");
        counters.registering(4096, () -> "registered");
        ObjectName name = names("org.emplace.rdma:name=\"one\",*").iterator().next();
        assertThat(beans.getAttribute(name, "BytesHeld")).isEqualTo(4096L);
        assertThat(beans.getAttribute(name, "Provider")).isEqualTo("one");
        TabularData work = (TabularData) beans.getAttribute(name, "Work");
        assertThat(work.size()).isEqualTo(4);
        assertThat(((CompositeData) work.get(new Object[] {"SEND"}).get("value")).get("posted"))
                .isEqualTo(0L);
        RdmaCounters another = new RdmaCounters("one");
        assertThat(names("org.emplace.rdma:name=\"one\",*")).hasSize(2);
        counters.closed();
        another.closed();
        assertThat(names("org.emplace.rdma:name=\"one\",*")).isEmpty();
    }

    private Set<ObjectName> names(String pattern) throws Exception {
        return beans.queryNames(new ObjectName(pattern), null);
    }

    private TabularData figures(ObjectName name) throws Exception {
        return (TabularData) beans.getAttribute(name, "Procedures");
    }
}
