// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Recovers from syntax errors without skipping a closing brace, so that one error in a body does not make errors of what follows it. */
final class KeepBraces extends DefaultErrorStrategy {

    @Override
    protected @Nullable Token singleTokenDeletion(Parser recognizer) {
        return recognizer.getCurrentToken().getType() == XdrParser.CLOSING_BRACE
                ? null
                : super.singleTokenDeletion(recognizer);
    }
}
