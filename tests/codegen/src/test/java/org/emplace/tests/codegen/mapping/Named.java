// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import org.emplace.rpc.Destination;
import org.jspecify.annotations.Nullable;

/** The destinations of one call, by payload item and element. The sources of stubs hand them on by name. */
public final class Named {
    private final List<List<@Nullable Destination>> byItem;

    Named(List<List<@Nullable Destination>> byItem) {
        this.byItem = byItem;
    }

    List<List<@Nullable Destination>> byItem() {
        return byItem;
    }

    /** The destination of an item that is in no array or list. */
    public @Nullable Destination one(int item) {
        return one(item, 0);
    }

    /** The destination of an element. */
    public @Nullable Destination one(int item, int element) {
        return item < byItem.size() && element < byItem.get(item).size()
                ? byItem.get(item).get(element)
                : null;
    }

    /** The destinations of all elements. */
    public @Nullable List<@Nullable Destination> list(int item) {
        return item < byItem.size() ? byItem.get(item) : null;
    }
}
