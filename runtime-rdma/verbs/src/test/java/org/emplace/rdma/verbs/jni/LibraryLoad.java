// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/** Says what loading the library comes to; run in a process of its own, because a process loads it once. */
final class LibraryLoad {
    private LibraryLoad() {}

    public static void main(String[] arguments) {
        System.out.println(NativeLibrary.unavailable().orElse("loaded"));
    }
}
