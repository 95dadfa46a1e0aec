// SPDX-License-Identifier: Apache-2.0
package mount;

import org.emplace.xdr.XdrOpaque;
import org.example.mount.Mountres;
import org.example.nfs.Getattr3Args;
import org.example.nfs.NfsFh3;

/** What MOUNT gives is what NFS takes. */
public class Root {
    static Getattr3Args attributesOf(Mountres result) {
        NfsFh3 root = ((Mountres.Nfs3Ok) result).root();
        return new Getattr3Args(root);
    }

    static Mountres of(byte[] handle) {
        return new Mountres.Nfs3Ok(new NfsFh3(XdrOpaque.of(handle)));
    }
}
