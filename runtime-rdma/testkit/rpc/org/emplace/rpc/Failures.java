// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.rpc.RpcException.Kind;

/** Assertions about failed calls. */
public final class Failures {
    private Failures() {}

    public static AbstractThrowableAssert<?, ? extends Throwable> assertFails(ThrowingCallable action, Kind... kinds) {
        return assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isIn((Object[]) kinds));
    }
}
