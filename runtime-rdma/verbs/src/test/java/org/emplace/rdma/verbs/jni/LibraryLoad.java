// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/** Prints whether the library can be loaded. A program of its own, because a process loads the library only once. */
final class LibraryLoad {
    private LibraryLoad() {}

    public static void main(String[] arguments) {
        System.out.println(NativeLibrary.unavailable().orElse("loaded"));
    }
}
