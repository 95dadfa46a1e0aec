// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.Span;

/** A clause of an Upper Layer Binding. */
public sealed interface Clause {

    /** The text of the clause, for messages. */
    Written written();

    /** Where the clause is. */
    default Span span() {
        return written().span();
    }

    /** The word that the clause begins with. */
    default String keyword() {
        return written().keyword();
    }

    /** The warning that the clause has no effect. */
    default Diagnostic withoutEffect(String reason) {
        return Diagnostic.warning("W312", span(), "`" + keyword() + "` has no effect: " + reason);
    }

    /** The word that a clause begins with, and where the clause is. */
    record Written(String keyword, Span span) {}

    /** {@code eligible}, {@code eligible as argument}, {@code eligible as result}. */
    record Eligible(boolean asArgument, boolean asResult, Written written) implements Clause {}

    /** {@code size EXPRESSION}, {@code size EXPRESSION when CONDITION}. */
    record Size(Expression expression, Optional<Condition> condition, Written written) implements Clause {}

    /** {@code reply-size EXPRESSION}. */
    record ReplySize(Expression expression, Written written) implements Clause {}

    /** A clause with one number. */
    record Numeric(Kind kind, Value.Literal value, Written written) implements Clause {

        /** The kind of number. */
        public enum Kind {
            READ_CHUNKS,
            WRITE_CHUNKS,
            PORT,
            INLINE_THRESHOLD,
            MAX_MESSAGE
        }
    }

    /** {@code operations PATH, PATH, success NAME}: results match arguments by index, up to the first that fails. */
    record Operations(List<Step> arguments, List<Step> results, Name success, Written written) implements Clause {}

    /** {@code idempotent}: repeating the call has the effect of making it once, so a server need not keep its reply. */
    record Idempotent(Written written) implements Clause {}

    /** {@code port dynamic}: clients ask rpcbind. */
    record DynamicPort(Written written) implements Clause {}

    /** {@code netid NAME, ...}. */
    record Netids(List<Name> names, Written written) implements Clause {}

    /** {@code violation garbage-args} or {@code violation err-chunk}. */
    record Violation(boolean errChunk, Written written) implements Clause {}

    /** {@code direction backward}. */
    record Backward(Written written) implements Clause {}

    /** {@code name IDENTIFIER}. */
    record JavaName(Name name, Written written) implements Clause {}

    /** {@code prefix IDENTIFIER}: the beginning of the names of a version's procedures or an enum's values that Java names omit. */
    record Prefix(Name name, Written written) implements Clause {}

    /** {@code open}: an enum may have values that its definition does not name. */
    record Open(Written written) implements Clause {}

    /**
     * {@code value}, {@code value text}: a typedef is a type of its own.
     *
     * @param isText whether it is an {@code opaque} that holds text in UTF-8
     */
    record AsValue(boolean isText, Written written) implements Clause {}

    /**
     * {@code bits}, {@code bits IDENTIFIER}: a typedef of an array of words is a set of bits.
     *
     * @param names the enum that names the bits
     */
    record Bits(Optional<Name> names, Written written) implements Clause {}

    /** {@code when PATH = VALUE}: applies to the elements of an argument's array whose discriminant has this value. */
    record Condition(List<Step> discriminant, Value value) {}

    /** A size: a number, the name of a constant, or {@code args} and names of members, each optionally plus a number; or {@code unbounded}. */
    record Expression(Base base, Optional<Value> plus, Span span) {}

    /** What a size consists of, except for the number added. */
    sealed interface Base {

        /** A number. */
        record Literal(Value.Literal number) implements Base {}

        /** A constant, or a path from {@code args} on. */
        record Path(List<Step> steps) implements Base {}

        /** {@code unbounded}: no bound is known, as the binding states explicitly. */
        record Unbounded() implements Base {}
    }

    /**
     * A name in the path of a size.
     *
     * @param indexed whether {@code [i]} follows: the element of the named array that has the result's index
     */
    record Step(Name name, boolean indexed) {}
}
