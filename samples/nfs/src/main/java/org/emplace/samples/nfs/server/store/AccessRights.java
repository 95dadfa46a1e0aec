// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** The rights of ACCESS (RFC 1813 section 3.3.4). */
public final class AccessRights {
    public static final int READ = 0x01;
    public static final int LOOKUP = 0x02;
    public static final int MODIFY = 0x04;
    public static final int EXTEND = 0x08;
    public static final int DELETE = 0x10;
    public static final int EXECUTE = 0x20;

    private AccessRights() {}
}
