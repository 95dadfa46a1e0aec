// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import java.time.Duration;
import java.util.Optional;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.ServerObserver.AnswerReport;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.xdr.XdrCodec;

/** Makes reports of calls that were never made. */
final class Answers {
    private static final RpcProgram PROGRAM = RpcProgram.of("NFS_PROGRAM", 100_003, 3);

    private Answers() {}

    /** A call that took two milliseconds. */
    static AnswerReport of(String procedure, long received, long sent) {
        return of(procedure, Outcome.SUCCESS, received, sent, Duration.ofMillis(2));
    }

    static AnswerReport of(String procedure, Outcome outcome, long received, long sent, Duration elapsed) {
        Procedure<?, ?> called = Procedure.of(
                PROGRAM, 1, procedure, XdrCodec.VOID, XdrCodec.VOID, ProcedureBinding.idempotent(nothing -> 0));
        return AnswerReport.of(Optional.of(called), outcome)
                .withBytes(received, sent)
                .withTimes(Duration.ZERO, elapsed);
    }
}
