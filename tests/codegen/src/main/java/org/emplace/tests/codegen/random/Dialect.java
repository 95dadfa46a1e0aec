// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

/** The language elements that a random protocol uses. */
public enum Dialect {
    /**
     * Elements that rpcgen supports too, and for which it generates valid C. Names of definitions end in the seed, so that many protocols fit in one
     * C program.
     */
    RPCGEN,

    /** Everything that our compiler supports, with names that are difficult in Java, in several files and in any order. */
    WHOLE
}
