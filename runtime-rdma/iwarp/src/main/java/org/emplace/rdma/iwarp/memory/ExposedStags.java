// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exposures by STag. The low bits of an STag are its index in the table, so that a look-up neither searches nor creates an object. Exposures have
 * different indexes: an STag whose place is taken cannot be added. Not safe for use by several threads.
 */
final class ExposedStags {
    /** A power of two, at least twice as many as there are exposures, so that most STags find their place free. */
    private @Nullable Exposure[] places = new Exposure[4];

    private int count;

    /** Whether an exposure with this STag can be added. */
    boolean isFree(int stag) {
        return at(stag) == null;
    }

    /** Adds an exposure, whose STag must be free. */
    void add(Exposure exposure) {
        places[indexOf(exposure.stag())] = exposure;
        count++;
        if (2 * count > places.length) {
            grow();
        }
    }

    /** Doubles the table. STags with different low bits still differ when one more bit is used. */
    private void grow() {
        List<Exposure> all = all();
        places = new Exposure[2 * places.length];
        for (Exposure exposure : all) {
            places[indexOf(exposure.stag())] = exposure;
        }
    }

    /** Removes an exposure. Returns whether it was in the table. */
    boolean remove(Exposure exposure) {
        int index = indexOf(exposure.stag());
        if (places[index] != exposure) {
            return false;
        }
        places[index] = null;
        count--;
        return true;
    }

    /** The exposure with this STag; null if there is none. */
    @Nullable
    Exposure find(int stag) {
        Exposure exposure = at(stag);
        return exposure != null && exposure.stag() == stag ? exposure : null;
    }

    private @Nullable Exposure at(int stag) {
        return places[indexOf(stag)];
    }

    private int indexOf(int stag) {
        return stag & (places.length - 1);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns all exposures, in a new list. */
    List<Exposure> all() {
        List<Exposure> all = new ArrayList<>(count);
        for (Exposure exposure : places) {
            if (exposure != null) {
                all.add(exposure);
            }
        }
        return all;
    }
}
