// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.emplace.xdr.XdrString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers choose names. A terminal shows each as it is, in one line, and does nothing else. */
class RemoteNameTest {
    /** An escape sequence, a line break, and characters that reorder the text after them, hide, or separate lines. */
    @ParameterizedTest
    @ValueSource(
            strings = {"a\u001b[2Jb", "a\nb", "a\u202eb", "a\u2066b", "a\u200bb", "a\u2028b", "a\u2029b", "a\u009bb"})
    void whatChangesATerminalIsReplaced(String name) {
        String printable = RemoteName.printable(XdrString.of(name));
        assertThat(printable).hasSameSizeAs(name).startsWith("a?").endsWith("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "two words", "gr\u00f6\u00dfe", "\u6587\u4ef6", "\ud83d\ude00"})
    void otherCharactersAreShown(String name) {
        assertThat(RemoteName.printable(XdrString.of(name))).isEqualTo(name);
    }
}
