// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.Locale;
import org.emplace.compiler.binding.ChunkPlan.Size;

/** Sizes in words. */
final class SizeText {

    private SizeText() {}

    static String of(Size size) {
        if (size instanceof Size.Fixed fixed) {
            return bytes(fixed.bytes());
        } else if (size instanceof Size.FromArgument argument) {
            String path = argument.path().isEmpty() ? "args" : "args." + String.join(".", argument.path());
            return path + plus(argument.plus()) + " bytes";
        } else if (size instanceof Size.FromElements elements) {
            return "args." + String.join(".", elements.array()) + "[i]." + String.join(".", elements.path())
                    + plus(elements.plus()) + " bytes";
        } else if (size instanceof Size.PerElement each) {
            return bytes(each.bytes()) + " where args." + String.join(".", each.array()) + "[i]."
                    + String.join(".", each.discriminant()) + " = "
                    + each.selected().label();
        }
        return "unbounded";
    }

    static String bytes(long bytes) {
        return String.format(Locale.ROOT, "%,d %s", bytes, bytes == 1 ? "byte" : "bytes");
    }

    private static String plus(long plus) {
        return plus == 0 ? "" : " + " + plus;
    }
}
