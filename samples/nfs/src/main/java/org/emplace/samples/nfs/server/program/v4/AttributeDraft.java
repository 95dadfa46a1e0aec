// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;

/** The attributes that a client wants to set, while they are read. */
final class AttributeDraft {
    private Optional<Integer> mode = Optional.empty();
    private Optional<Long> uid = Optional.empty();
    private Optional<Long> gid = Optional.empty();
    private Optional<Long> size = Optional.empty();
    private NewTime accessed = new NewTime.Kept();
    private NewTime modified = new NewTime.Kept();

    void mode(int bits) {
        mode = Optional.of(bits);
    }

    void uid(long number) {
        uid = Optional.of(number);
    }

    void gid(long number) {
        gid = Optional.of(number);
    }

    void size(long bytes) {
        size = Optional.of(bytes);
    }

    void accessed(NewTime time) {
        accessed = time;
    }

    void modified(NewTime time) {
        modified = time;
    }

    AttributeChange change() {
        return new AttributeChange(mode, uid, gid, size, accessed, modified);
    }
}
