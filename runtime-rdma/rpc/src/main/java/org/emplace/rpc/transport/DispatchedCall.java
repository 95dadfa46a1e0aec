// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.emplace.rpc.Credential;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.Payload;

/** What user code sees of a call while it answers it. */
final class DispatchedCall implements ServerCall {
    private final IncomingCall call;
    private final int xid;
    private final Credential credential;
    private volatile boolean answered;

    DispatchedCall(IncomingCall call, int xid, Credential credential) {
        this.call = call;
        this.xid = xid;
        this.credential = credential;
    }

    @Override
    public Credential credential() {
        return credential;
    }

    @Override
    public RpcConnection connection() {
        return call.connection();
    }

    @Override
    public int xid() {
        return xid;
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        requireUnanswered();
        return call.readFrom(file, offset, max);
    }

    @Override
    public ByteBuffer buffer(int size) {
        requireUnanswered();
        return call.buffer(size);
    }

    void answered() {
        answered = true;
    }

    private void requireUnanswered() {
        if (answered) {
            throw new IllegalStateException(this + " has been answered; its buffers are no longer to be had");
        }
    }

    @Override
    public String toString() {
        return "call 0x%08x from %s".formatted(xid, connection().remoteAddress());
    }
}
