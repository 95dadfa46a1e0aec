// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.syntax.Name;

/**
 * What a file may use without defining it, because C's header {@code rpc/rpc.h} defines it for the output of rpcgen: numbers, and the structs of the
 * RPC protocols. RFC 5662, for example, uses {@code authsys_parms}. A flavor is an int, as in C, because flavors beyond those of RFC 5531 are
 * registered.
 */
final class RpcHeader {

    /** A member without an origin. */
    private record Member(String name, XdrType type) {}

    /** A struct and the document that defines it. */
    private record Struct(String source, List<Member> members) {}

    private static final Struct CREDENTIAL_OF_SYSTEM = new Struct(
            "RFC 5531 appendix A",
            List.of(
                    new Member("stamp", Primitive.UNSIGNED_INT),
                    new Member("machinename", new XdrType.StringType(255)),
                    new Member("uid", Primitive.UNSIGNED_INT),
                    new Member("gid", Primitive.UNSIGNED_INT),
                    new Member("gids", new XdrType.VariableArray(Primitive.UNSIGNED_INT, 16))));

    private static final Map<String, Struct> STRUCTS = Map.of(
            "opaque_auth",
            new Struct(
                    "RFC 5531 section 8.2",
                    List.of(new Member("flavor", Primitive.INT), new Member("body", new XdrType.VariableOpaque(400)))),
            "authsys_parms",
            CREDENTIAL_OF_SYSTEM,
            "authunix_parms",
            CREDENTIAL_OF_SYSTEM,
            "pmap",
            new Struct(
                    "RFC 1833 section 3.1, there called mapping",
                    List.of(
                            new Member("pm_prog", Primitive.UNSIGNED_INT),
                            new Member("pm_vers", Primitive.UNSIGNED_INT),
                            new Member("pm_prot", Primitive.UNSIGNED_INT),
                            new Member("pm_port", Primitive.UNSIGNED_INT))),
            "netbuf",
            new Struct(
                    "RFC 1833 section 2.1",
                    List.of(
                            new Member("maxlen", Primitive.UNSIGNED_INT),
                            new Member("buf", new XdrType.VariableOpaque(XdrType.UNBOUNDED)))),
            "rpcb",
            new Struct(
                    "RFC 1833 section 2.1",
                    List.of(
                            new Member("r_prog", Primitive.UNSIGNED_INT),
                            new Member("r_vers", Primitive.UNSIGNED_INT),
                            new Member("r_netid", new XdrType.StringType(XdrType.UNBOUNDED)),
                            new Member("r_addr", new XdrType.StringType(XdrType.UNBOUNDED)),
                            new Member("r_owner", new XdrType.StringType(XdrType.UNBOUNDED)))));

    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("AUTH_NONE", 0),
            Map.entry("AUTH_NULL", 0),
            Map.entry("AUTH_SYS", 1),
            Map.entry("AUTH_UNIX", 1),
            Map.entry("AUTH_SHORT", 2),
            Map.entry("AUTH_DH", 3),
            Map.entry("AUTH_DES", 3),
            Map.entry("AUTH_KERB", 4),
            Map.entry("RPCSEC_GSS", 6),
            Map.entry("MAX_AUTH_BYTES", 400),
            Map.entry("MAX_MACHINE_NAME", 255),
            Map.entry("MAXNETNAMELEN", 255),
            Map.entry("NGRPS", 16));

    private RpcHeader() {}

    /** The number that an undefined name stands for. */
    static Optional<BigInteger> number(String name) {
        return Optional.ofNullable(NUMBERS.get(name)).map(BigInteger::valueOf);
    }

    /** The struct that an undefined name stands for. Reports its use. */
    static Optional<TypeDefinition> struct(Name name, Diagnostics diagnostics) {
        return Optional.ofNullable(STRUCTS.get(name.text())).map(struct -> {
            diagnostics.report(Extension.C_TYPE.at(
                    name.span(),
                    "`" + name.text() + "` is not defined in these files; treated as the struct of "
                            + struct.source()));
            List<Field> fields = struct.members().stream()
                    .map(member -> new Field(member.name(), member.type(), "", name.span()))
                    .toList();
            return new TypeDefinition.Structure(name.text(), fields, "As in " + struct.source() + ".", name.span());
        });
    }
}
