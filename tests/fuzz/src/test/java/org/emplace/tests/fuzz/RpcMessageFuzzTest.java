// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.message.MessageHeader.CallHeader;
import org.emplace.rpc.message.MessageHeader.ReplyHeader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** RPC messages (RFC 5531 section 9): read, or refused with an {@link XdrException}. */
class RpcMessageFuzzTest {

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void callsAreReadOrRefused(byte[] bytes) {
        try {
            CallHeader header = CallHeader.decode(new XdrDecoder(ByteBuffer.wrap(bytes)));
            AuthSys.SERVER.accept(header.credential(), header.verifier(), header::upToCredential);
        } catch (XdrException | AuthException | DiscardedCallException malformed) {
            // What a peer may bring about.
        }
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void repliesAreReadOrRefused(byte[] bytes) {
        try {
            ReplyHeader.decode(new XdrDecoder(ByteBuffer.wrap(bytes)));
        } catch (XdrException malformed) {
            // What a peer may bring about.
        }
    }
}
