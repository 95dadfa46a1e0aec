// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import java.net.URI;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;

/** Counts a client's lost and new connections and resent calls, and passes all events to another observer. */
final class RecoveryTelemetry implements RecoveryObserver {
    private final CallAttributes attributes;
    private final LongCounter disconnects;
    private final LongCounter reconnects;
    private final LongCounter retransmits;
    private final LongCounter nfsRetransmits;
    private final RecoveryObserver next;

    RecoveryTelemetry(CallAttributes attributes, Instruments instruments, RecoveryObserver next) {
        this.attributes = attributes;
        this.next = next;
        disconnects = instruments.counter(
                Convention.CLIENT_DISCONNECTS,
                "{connection}",
                "Connections that ended without being closed by the client");
        reconnects = instruments.counter(
                Convention.CLIENT_RECONNECTS, "{connection}", "Connections that replaced lost ones");
        retransmits = instruments.counter(
                Convention.CLIENT_RETRANSMITS, "{retransmit}", "Calls resent over another connection");
        nfsRetransmits = instruments.counter(
                Convention.NFS_CLIENT_RETRANSMITS, "{retransmit}", "NFS calls resent over another connection");
    }

    @Override
    public void disconnected(URI address, String why) {
        disconnects.add(1, attributes.common());
        next.disconnected(address, why);
    }

    @Override
    public void notConnected(URI address, RpcException failure) {
        next.notConnected(address, failure);
    }

    @Override
    public void reconnected(URI address, RpcConnection client) {
        reconnects.add(1, attributes.common());
        next.reconnected(address, client);
    }

    @Override
    public void resent(Procedure<?, ?> procedure, int xid) {
        retransmits.add(1, attributes.of(procedure, null));
        if (CallAttributes.isNfs(procedure)) {
            nfsRetransmits.add(1, Attributes.empty());
        }
        next.resent(procedure, xid);
    }
}
