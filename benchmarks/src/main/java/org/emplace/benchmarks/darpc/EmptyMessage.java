// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.darpc;

import com.ibm.darpc.DaRPCMessage;
import com.ibm.darpc.DaRPCProtocol;
import java.nio.ByteBuffer;

/** A message of a NULL call: as long as Emplace's over RPC-over-RDMA, with nothing in it. */
final class EmptyMessage implements DaRPCMessage {
    /** Bytes of a call: 28 of RPC-over-RDMA header, 40 of RPC call. A reply has somewhat fewer. */
    static final int SIZE = 68;

    /** Makes the messages. */
    static class Protocol implements DaRPCProtocol<EmptyMessage, EmptyMessage> {
        @Override
        public EmptyMessage createRequest() {
            return new EmptyMessage();
        }

        @Override
        public EmptyMessage createResponse() {
            return new EmptyMessage();
        }
    }

    @Override
    public int write(ByteBuffer buffer) {
        for (int i = 0; i < SIZE; i += Integer.BYTES) {
            buffer.putInt(i);
        }
        return SIZE;
    }

    @Override
    public void update(ByteBuffer buffer) {
        for (int i = 0; i < SIZE; i += Integer.BYTES) {
            int word = buffer.getInt();
            if (word != i) {
                throw new IllegalStateException("word " + i + " of a message is " + word);
            }
        }
    }

    @Override
    public int size() {
        return SIZE;
    }
}
