// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.nio.charset.StandardCharsets;
import org.emplace.xdr.XdrString;

/** Names of files on a server. They are bytes and need not be text in any encoding. */
public final class RemoteName {
    /** In a path, the directory itself. */
    public static final XdrString DOT = XdrString.of(".");

    /** In a path, the directory above. */
    public static final XdrString DOT_DOT = XdrString.of("..");

    private RemoteName() {}

    /** Whether the bytes can name an entry of a directory: not empty, no slash, no zero byte, neither of the dots. */
    public static boolean isValid(XdrString name) {
        for (byte b : name.bytes()) {
            if (b == '/' || b == 0) {
                return false;
            }
        }
        return name.length() > 0 && !isDots(name);
    }

    /** Whether it is the directory itself or its parent. */
    public static boolean isDots(XdrString name) {
        return name.equals(DOT) || name.equals(DOT_DOT);
    }

    /** The name as text for a terminal. Replaces control characters and bytes that are not UTF-8. */
    public static String printable(XdrString name) {
        String text = new String(name.bytes(), StandardCharsets.UTF_8);
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(c -> controlsOrHides(c) ? '?' : c).forEach(printable::appendCodePoint);
        return printable.toString();
    }

    /** Whether it is a control character, or one that reorders text or is invisible. */
    private static boolean controlsOrHides(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
