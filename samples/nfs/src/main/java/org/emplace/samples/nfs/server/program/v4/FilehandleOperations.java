// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Getfh4Res;
import org.emplace.samples.nfs.protocol.v4.Getfh4Resok;
import org.emplace.samples.nfs.protocol.v4.Lookup4Args;
import org.emplace.samples.nfs.protocol.v4.Lookup4Res;
import org.emplace.samples.nfs.protocol.v4.Lookupp4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Putfh4Args;
import org.emplace.samples.nfs.protocol.v4.Putfh4Res;
import org.emplace.samples.nfs.protocol.v4.Putpubfh4Res;
import org.emplace.samples.nfs.protocol.v4.Putrootfh4Res;
import org.emplace.samples.nfs.protocol.v4.Readlink4Res;
import org.emplace.samples.nfs.protocol.v4.Readlink4Resok;
import org.emplace.samples.nfs.protocol.v4.Restorefh4Res;
import org.emplace.samples.nfs.protocol.v4.RpcGssSvcT;
import org.emplace.samples.nfs.protocol.v4.RpcsecGssInfo;
import org.emplace.samples.nfs.protocol.v4.Savefh4Res;
import org.emplace.samples.nfs.protocol.v4.Secinfo4;
import org.emplace.samples.nfs.protocol.v4.Secinfo4Args;
import org.emplace.samples.nfs.protocol.v4.Secinfo4Res;
import org.emplace.samples.nfs.protocol.v4.SecinfoStyle4;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportTree.Node;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;

/** The operations that set, name and follow filehandles: PUTFH and its kind, LOOKUP, LOOKUPP, READLINK, SECINFO. */
interface FilehandleOperations extends Nfs4CompoundOperations<Compound>, Operations {
    FileName PARENT = FileName.of("..");

    /** The object identifier of Kerberos 5, 1.2.840.113554.1.2.2, encoded without tag and length (RFC 1964). */
    XdrOpaque KERBEROS =
            XdrOpaque.of(new byte[] {0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x12, 0x01, 0x02, 0x02});

    @Override
    default Putrootfh4Res putRootFh(Compound compound) {
        return answer(
                NfsOpnum4.PUT_ROOT_FH,
                compound,
                () -> {
                    compound.put(root(compound));
                    return new Putrootfh4Res(Nfsstat4.NFS4_OK);
                },
                Putrootfh4Res::new);
    }

    /** The public filehandle is the root (RFC 8881 section 18.20.3). */
    @Override
    default Putpubfh4Res putPubFh(Compound compound) {
        return answer(
                NfsOpnum4.PUT_PUB_FH,
                compound,
                () -> {
                    compound.put(root(compound));
                    return new Putpubfh4Res(Nfsstat4.NFS4_OK);
                },
                Putpubfh4Res::new);
    }

    private Addressed root(Compound compound) throws IOException {
        return Addressed.at(program().exports().tree().root(), program().exports(), compound.origin());
    }

    @Override
    default Putfh4Res putFh(Putfh4Args args, Compound compound) {
        return answer(
                NfsOpnum4.PUT_FH,
                compound,
                () -> {
                    compound.put(Addressed.of(args.object().value(), program().exports(), compound.origin()));
                    return new Putfh4Res(Nfsstat4.NFS4_OK);
                },
                Putfh4Res::new);
    }

    @Override
    default Getfh4Res getFh(Compound compound) {
        return answer(
                NfsOpnum4.GET_FH,
                compound,
                () -> new Getfh4Res.Nfs4Ok(
                        new Getfh4Resok(new NfsFh4(compound.current().handle()))),
                Getfh4Res.Default::new);
    }

    @Override
    default Savefh4Res saveFh(Compound compound) {
        return answer(
                NfsOpnum4.SAVE_FH,
                compound,
                () -> {
                    compound.save();
                    return new Savefh4Res(Nfsstat4.NFS4_OK);
                },
                Savefh4Res::new);
    }

    @Override
    default Restorefh4Res restoreFh(Compound compound) {
        return answer(
                NfsOpnum4.RESTORE_FH,
                compound,
                () -> {
                    compound.restore();
                    return new Restorefh4Res(Nfsstat4.NFS4_OK);
                },
                Restorefh4Res::new);
    }

    @Override
    default Lookup4Res lookup(Lookup4Args args, Compound compound) {
        return answer(
                NfsOpnum4.LOOKUP,
                compound,
                () -> {
                    compound.current(Compound.requireListed(entry(compound, args.objname())));
                    return new Lookup4Res(Nfsstat4.NFS4_OK);
                },
                Lookup4Res::new);
    }

    /**
     * The entry of the current directory with a name. If the export does not list the call's flavor, returns the directory itself, without a look-up: all files
     * of an export have the same flavors.
     */
    default Addressed entry(Compound compound, Component4 name) throws IOException, StatusException {
        Addressed in = compound.currentByAnyFlavor();
        if (!in.isByListedFlavor()) {
            return in;
        }
        if (in instanceof Addressed.Stored stored) {
            return entry(stored, name);
        }
        Addressed.AboveExports above = (Addressed.AboveExports) in;
        FileName checked = CallData.name(name.value(), above.limits().longestName());
        Operations.require(checked);
        Node found = Optional.ofNullable(above.node().below().get(checked))
                .orElseThrow(() -> new StoreException(Failure.NOENT, "no export is below " + checked));
        return Addressed.at(found, program().exports(), compound.origin());
    }

    private static Addressed entry(Addressed.Stored in, Component4 name) throws IOException, StatusException {
        AddressedFile directory = in.file();
        FileName checked = Operations.name(directory, name);
        try {
            return in.other(directory.store().lookup(directory.caller(), directory.id(), checked));
        } catch (StoreException e) {
            if (e.failure() == Failure.NOTDIR) {
                in.requireDirectory();
            }
            throw e;
        }
    }

    @Override
    default Lookupp4Res lookupp(Compound compound) {
        return answer(
                NfsOpnum4.LOOKUPP,
                compound,
                () -> {
                    compound.current(Compound.requireListed(parent(compound)));
                    return new Lookupp4Res(Nfsstat4.NFS4_OK);
                },
                Lookupp4Res::new);
    }

    private Addressed parent(Compound compound) throws IOException, StatusException {
        Addressed target = compound.currentByAnyFlavor();
        Optional<Node> above;
        if (target instanceof Addressed.Stored stored) {
            AddressedFile file = stored.file();
            if (!stored.isRoot()) {
                if (!stored.isByListedFlavor()) {
                    return stored;
                }
                stored.requireDirectory();
                return stored.other(file.store().lookup(file.caller(), file.id(), PARENT));
            }
            above = program().exports().tree().place(file.file().export()).flatMap(Node::parent);
        } else {
            above = ((Addressed.AboveExports) target).node().parent();
        }
        Node parent = above.orElseThrow(() -> new StoreException(Failure.NOENT, "nothing is above the root"));
        return Addressed.at(parent, program().exports(), compound.origin());
    }

    @Override
    default Readlink4Res readlink(Compound compound) {
        return answer(
                NfsOpnum4.READLINK,
                compound,
                () -> {
                    Addressed target = compound.current();
                    if (!target.attributes().isSymbolicLink()) {
                        throw new StatusException(Nfsstat4.NFS4ERR_WRONG_TYPE, "not a symbolic link");
                    }
                    AddressedFile link = target.stored(Failure.INVAL);
                    return new Readlink4Res.Nfs4Ok(new Readlink4Resok(
                            Payload.of(ByteBuffer.wrap(link.store().readLink(link.id())))));
                },
                Readlink4Res.Default::new);
    }

    /** The flavors by which an entry can be used. */
    @Override
    default Secinfo4Res secInfo(Secinfo4Args args, Compound compound) {
        return answer(
                NfsOpnum4.SEC_INFO,
                compound,
                () -> flavors(entry(compound, args.name()), compound),
                Secinfo4Res.Default::new);
    }

    @Override
    default Secinfo4Res secInfoNoName(SecinfoStyle4 style, Compound compound) {
        return answer(
                NfsOpnum4.SEC_INFO_NO_NAME,
                compound,
                () -> flavors(
                        style == SecinfoStyle4.SECINFO_STYLE4_PARENT ? parent(compound) : compound.currentByAnyFlavor(),
                        compound),
                Secinfo4Res.Default::new);
    }

    /** AUTH_NONE is listed only beside nothing but AUTH_SYS, as in MOUNT. */
    private Secinfo4Res flavors(Addressed target, Compound compound) {
        List<SecurityFlavor> listed = target instanceof Addressed.Stored stored
                ? stored.file().access().flavors()
                : program().exports().flavors();
        List<Secinfo4> answer = new ArrayList<>(
                listed.stream().map(FilehandleOperations::flavor).toList());
        if (listed.equals(List.of(SecurityFlavor.SYS))) {
            answer.add(new Secinfo4.Default(Constants.AUTH_NONE));
        }
        compound.removeCurrent();
        return new Secinfo4Res.Nfs4Ok(answer);
    }

    private static Secinfo4 flavor(SecurityFlavor listed) {
        return switch (listed) {
            case SYS -> new Secinfo4.Default(Constants.AUTH_SYS);
            case KRB5 -> kerberos(RpcGssSvcT.RPC_GSS_SVC_NONE);
            case KRB5I -> kerberos(RpcGssSvcT.RPC_GSS_SVC_INTEGRITY);
            case KRB5P -> kerberos(RpcGssSvcT.RPC_GSS_SVC_PRIVACY);
        };
    }

    private static Secinfo4 kerberos(RpcGssSvcT service) {
        return new Secinfo4.RpcsecGss(new RpcsecGssInfo(KERBEROS, 0, service));
    }
}
