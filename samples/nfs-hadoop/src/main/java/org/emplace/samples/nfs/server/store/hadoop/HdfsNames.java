// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Converts between the bytes of names on the wire and HDFS's names, which are UTF-8 without colons. */
final class HdfsNames {
    /** The most bytes of a name, by HDFS's default (dfs.namenode.fs-limits.max-component-length). */
    static final int LONGEST = 255;

    private static final String SNAPSHOTS = ".snapshot";

    private HdfsNames() {}

    /**
     * A name of HDFS; may be "." or "..".
     *
     * @throws StoreException of ACCES if HDFS cannot have such a name. Snapshots of a directory cannot be reached, because their files have
     * the ids of the current ones
     */
    static String of(FileName name) throws StoreException {
        String text = decoded(name.required());
        if (text.indexOf(':') >= 0) {
            throw new StoreException(Failure.ACCES, "HDFS has no names with colons: " + text);
        }
        if (text.equals(SNAPSHOTS)) {
            throw new StoreException(Failure.ACCES, "snapshots are not exported");
        }
        if (name.length() > LONGEST) {
            throw new StoreException(Failure.NAMETOOLONG, "a file name of " + name.length() + " bytes");
        }
        return text;
    }

    private static String decoded(byte[] name) throws StoreException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StoreException(Failure.ACCES, "HDFS has no names that are not UTF-8");
        }
    }

    static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }
}
