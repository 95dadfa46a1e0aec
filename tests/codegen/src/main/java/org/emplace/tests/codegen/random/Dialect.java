// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

/** What a random protocol is made of. */
public enum Dialect {
    /**
     * What rpcgen takes too, and makes C of that compiles. The names of definitions end in the seed, so that many protocols fit in one C
     * program.
     */
    RPCGEN,

    /** Everything that our compiler takes, with names that are hard on Java, in several files and in any order. */
    WHOLE
}
