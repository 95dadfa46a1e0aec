// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

/** What a clause of the binding speaks of; XDR names. */
public sealed interface Target {

    /** A member of a struct or an arm of a union. */
    record Item(String type, String member) implements Target {}

    /** A type. */
    record Type(String name) implements Target {}

    /** A version of a program. */
    record Version(String program, String version) implements Target {}

    /** A procedure. */
    record Procedure(String program, String version, String procedure) implements Target {}
}
