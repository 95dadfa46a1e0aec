// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

/** A definition that a binding clause applies to, by XDR names. {@code toString} returns the names as the binding language writes them. */
public sealed interface Target {

    /** A member of a struct or an arm of a union. */
    record Item(String type, String member) implements Target {
        @Override
        public String toString() {
            return type + "." + member;
        }
    }

    /** A type. */
    record Type(String name) implements Target {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A constant or an enumerator; both share one scope of names. */
    record Constant(String name) implements Target {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A version of a program. */
    record Version(String program, String version) implements Target {
        @Override
        public String toString() {
            return program + "." + version;
        }
    }

    /** A procedure. */
    record Procedure(String program, String version, String procedure) implements Target {
        @Override
        public String toString() {
            return program + "." + version + "." + procedure;
        }
    }
}
