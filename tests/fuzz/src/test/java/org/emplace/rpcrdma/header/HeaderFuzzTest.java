// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.emplace.tests.fuzz.Fuzzing;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;

/** The header of RPC-over-RDMA version 1 (RFC 8166 section 4): read, or refused with an {@link XdrException}. */
class HeaderFuzzTest {

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void whatIsReadMeansTheSameOnceWritten(byte[] bytes) throws XdrException {
        Header header;
        try {
            header = HeaderCodec.decode(new XdrDecoder(ByteBuffer.wrap(bytes)), ChunkLimits.NONE);
        } catch (XdrException malformed) {
            return;
        }
        if (header instanceof Header.OtherVersion) {
            return;
        }
        ByteBuffer written = ByteBuffer.allocate(bytes.length + 64);
        HeaderCodec.encode(header, written);
        assertThat(HeaderCodec.decode(new XdrDecoder(written.flip()), ChunkLimits.NONE))
                .isEqualTo(header);
    }
}
