// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.net.URI;
import java.util.ServiceLoader;
import org.emplace.samples.nfs.server.store.Store;

/** Opens stores of what is not a directory of this machine. Modules register theirs for {@link ServiceLoader}. */
public interface StoreProvider {

    /** Whether this provider opens places whose URIs have a scheme. */
    boolean opens(String scheme);

    /**
     * Opens the store of a place.
     *
     * @throws IOException with a message of one line that says what to do
     */
    Store open(URI place) throws IOException;

    /**
     * The provider for a place.
     *
     * @throws IOException if no module on the class path has one
     */
    static StoreProvider of(URI place) throws IOException {
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(place.getScheme()))
                .findFirst()
                .orElseThrow(() -> new IOException("cannot export " + place + ": no store for '" + place.getScheme()
                        + "' is on the class path; the one for hdfs is in emplace-sample-nfs-hadoop"));
    }
}
