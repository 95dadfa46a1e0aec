// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

/** The size clause of an eligible result. */
sealed interface Size {
    /** The size of an item that has no limit. */
    long UNBOUNDED = -1;

    /** The size of an item that the results cannot contain. */
    long ABSENT = -2;

    /** The text after {@code eligible}; empty for no clause. */
    String clause(Draft draft);

    /**
     * The size in bytes.
     *
     * @param bound the size without a clause
     * @param index of the element of the outermost array
     */
    long of(Sizes sizes, long bound, int index);

    /** No clause: the type's bound. */
    record None() implements Size {
        @Override
        public String clause(Draft draft) {
            return "";
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            return bound;
        }
    }

    /** {@code size unbounded}. */
    record Unbounded() implements Size {
        @Override
        public String clause(Draft draft) {
            return "; size unbounded";
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            return UNBOUNDED;
        }
    }

    /** A number. */
    record Fixed(long bytes) implements Size {
        @Override
        public String clause(Draft draft) {
            return "; size " + bytes;
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            return bytes;
        }
    }

    /** A number in the arguments. */
    record OfField(Node.SizeField field, long plus) implements Size {
        @Override
        public String clause(Draft draft) {
            return "; size " + draft.pathOf(field) + added(plus);
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            return sizes.field(field.index()) + plus;
        }
    }

    /** A number in an element of an argument's array, or in one of its arms. */
    record OfElement(Node.SizeArray array, int arm, int number, long plus) implements Size {
        @Override
        public String clause(Draft draft) {
            return "; size " + draft.pathOf(array) + "[i]" + (array.arms() > 0 ? ".a" + arm : "") + ".l" + number
                    + added(plus);
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            long size = sizes.element(array, index, arm, number);
            return size == ABSENT ? ABSENT : size + plus;
        }
    }

    /** A number for those elements of an argument's array that have an arm. */
    record When(Node.SizeArray array, int arm, long bytes) implements Size {
        @Override
        public String clause(Draft draft) {
            return "; size " + bytes + " when " + draft.pathOf(array) + "[i].what = "
                    + (array.operations() ? "OP" + arm : String.valueOf(arm));
        }

        @Override
        public long of(Sizes sizes, long bound, int index) {
            return sizes.element(array, index, arm, 0) == ABSENT ? ABSENT : bytes;
        }
    }

    private static String added(long plus) {
        return plus == 0 ? "" : " + " + plus;
    }
}
