// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.emplace.Rpc;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.TestRealm;
import org.emplace.rpc.auth.gss.GssClient;
import org.emplace.rpc.auth.gss.GssServer;
import org.emplace.rpc.auth.gss.GssService;
import org.emplace.samples.nfs.protocol.Access3Args;
import org.emplace.samples.nfs.protocol.Access3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Getattr3Res;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.ClientOwner4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.RpcGssSvcT;
import org.emplace.samples.nfs.protocol.v4.Secinfo4;
import org.emplace.samples.nfs.protocol.v4.SecinfoStyle4;
import org.emplace.samples.nfs.protocol.v4.StateProtect4A;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.NfsServer.Version;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports with {@code sec=}, by versions 3 and 4.1, with a key distribution center of the test's own. */
@Timeout(60)
final class KerberosTest {
    @TempDir
    private static Path realmsFiles;

    private static TestRealm realm;

    @TempDir
    private Path temporary;

    private Path directory;
    private int ada;
    private boolean actsAsCallers;
    private NfsServer server;

    @BeforeAll
    static void startRealm() throws Exception {
        realm = new TestRealm(realmsFiles);
    }

    @AfterAll
    static void stopRealm() throws Exception {
        realm.close();
    }

    /** Ada is whoever runs the tests, or for root another user, as whom the server then can act. */
    @BeforeEach
    void serve() throws Exception {
        directory = Files.createDirectory(temporary.resolve("exports")).toRealPath();
        int self = (Integer) Files.getAttribute(directory, "unix:uid");
        ada = self == 0 ? 1001 : self;
        PrincipalMap principals = principal -> principal.equals("ada@" + TestRealm.NAME)
                ? Optional.of(new Caller(ada, 100, Set.of()))
                : Optional.empty();
        Exports exports = Exports.open(
                List.of(
                        export("strong", "sec=krb5p:krb5i"),
                        export("any", "sec=krb5:sys"),
                        export("usual", "no_subtree_check")),
                temporary.resolve("state"),
                StoreKind.ofThisSystem().opener(3),
                principals);
        actsAsCallers = exports.actAsCallers();
        server = NfsServer.start(
                exports,
                List.of(URI.create("tcp://127.0.0.1:0"), URI.create("rdma://127.0.0.1:0")),
                Capacity.DEFAULT.withConnections(16),
                Protocols.DEFAULT
                        .withVersions(Set.of(Version.V3, Version.V4_1))
                        .withKerberos(new GssServer(realm.server(), EnumSet.allOf(GssService.class))));
    }

    private ExportDefinition export(String name, String options) throws IOException, ExportSyntaxException {
        Path exported = Files.createDirectory(directory.resolve(name));
        Path file = Files.createFile(
                exported.resolve("file"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.setAttribute(file, "unix:uid", ada);
        return ExportArgument.parse(exported + ":rw,no_root_squash," + options, warning -> {});
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private RpcClient connect(String transport) throws IOException {
        return Rpc.connect(server.addresses().get(transport.equals("tcp") ? 0 : 1));
    }

    private GssClient as(String user, String transport, GssService service) throws Exception {
        return new GssClient(connect(transport), TestRealm.SERVICE, realm.user(user), service);
    }

    private Mountres3Ok mounted(RpcConnection connection, String name) throws IOException, InterruptedException {
        Mountres3 result = Mount3Client.on(connection)
                .mnt(XdrString.of(directory.resolve(name).toString()));
        return ((Mountres3.Mnt3Ok) result).mountinfo();
    }

    private static Lookup3Res lookUp(RpcConnection connection, Mountres3Ok root)
            throws IOException, InterruptedException {
        return Nfs3Client.on(connection)
                .with(Served.inTheNameOf(0, 0))
                .lookup(new Lookup3Args(Served.in(new NfsFh3(root.fhandle()), "file")));
    }

    @Test
    void mountListsTheFlavorsOfEachExportInItsOrder() throws Exception {
        try (RpcClient client = connect("tcp")) {
            assertThat(mounted(client, "strong").authFlavors()).isEqualTo(XdrInts.of(390005, 390004));
            assertThat(mounted(client, "any").authFlavors()).isEqualTo(XdrInts.of(390003, 1));
            assertThat(mounted(client, "usual").authFlavors()).isEqualTo(XdrInts.of(1, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void version3RefusesFlavorsThatTheExportDoesNotList(String transport) throws Exception {
        try (RpcClient claimed = connect(transport);
                GssClient proved = as("ada", transport, GssService.NONE);
                GssClient intact = as("ada", transport, GssService.INTEGRITY);
                GssClient secret = as("ada", transport, GssService.PRIVACY)) {
            Mountres3Ok strong = mounted(claimed, "strong");
            assertThat(lookUp(claimed, strong).status()).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
            assertThat(lookUp(proved, strong).status()).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
            assertThat(lookUp(intact, strong).status()).isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(lookUp(secret, mounted(secret, "strong")).status()).isEqualTo(Nfsstat3.NFS3_OK);

            Mountres3Ok any = mounted(claimed, "any");
            assertThat(lookUp(claimed, any).status()).isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(lookUp(proved, any).status()).isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(lookUp(intact, any).status()).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
            assertThat(lookUp(intact, mounted(claimed, "usual")).status()).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
        }
    }

    /** Linux mounts so when the machine has no credential yet (RFC 2623 section 2.3.2). */
    @Test
    void aRootCanBeMountedByAnyFlavorButNothingBelow() throws Exception {
        try (RpcClient claimed = connect("tcp");
                GssClient secret = as("ada", "tcp", GssService.PRIVACY)) {
            NfsFh3 root = new NfsFh3(mounted(claimed, "strong").fhandle());
            NfsFh3 file = ((Lookup3Res.Nfs3Ok) lookUp(secret, mounted(claimed, "strong")))
                    .resok()
                    .object();
            Nfs3Client client = Nfs3Client.on(claimed);
            assertThat(client.getattr(new Getattr3Args(root))).isInstanceOf(Getattr3Res.Nfs3Ok.class);
            assertThat(client.fsinfo(new Fsinfo3Args(root))).isInstanceOf(Fsinfo3Res.Nfs3Ok.class);
            assertThat(client.access(new Access3Args(root, AccessRights.READ)).status())
                    .isEqualTo(Nfsstat3.NFS3ERR_ACCES);
            assertThat(client.getattr(new Getattr3Args(file)).status()).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
            assertThat(Mount3Client.on(claimed)
                            .mnt(XdrString.of(directory.resolve("strong/file").toString())))
                    .isInstanceOf(Mountres3.Default.class);
        }
    }

    /** The file is ada's, and for nobody else. A server that is not root acts as itself for all. */
    @ParameterizedTest
    @EnumSource(GssService.class)
    void principalsActAsTheirUsersAndOthersAsNobody(GssService service) throws Exception {
        try (GssClient ada = as("ada", "tcp", service);
                GssClient bob = as("bob", "tcp", service)) {
            String export = service == GssService.NONE ? "any" : "strong";
            NfsFh3 file = ((Lookup3Res.Nfs3Ok) lookUp(ada, mounted(ada, export)))
                    .resok()
                    .object();
            assertThat(rights(ada, file)).isEqualTo(AccessRights.READ | AccessRights.MODIFY);
            assertThat(rights(bob, file)).isEqualTo(actsAsCallers ? 0 : AccessRights.READ | AccessRights.MODIFY);
        }
    }

    private URI url(String transport, String export, String options) {
        int port = server.addresses().get(transport.equals("tcp") ? 0 : 1).getPort();
        int mount = server.addresses().get(0).getPort();
        return URI.create("nfs://localhost:" + port + directory.resolve(export) + "?proto=" + transport + "&mountport="
                + mount + "&" + options);
    }

    private static Map<String, ?> keyOf(String user) throws Exception {
        return Map.of("keytab", realm.keytab(user), "principal", user + "@" + TestRealm.NAME);
    }

    @ParameterizedTest
    @CsvSource({"tcp, krb5", "tcp, krb5i", "tcp, krb5p", "rdma, krb5", "rdma, krb5i", "rdma, krb5p"})
    void aFileSystemReadsAndWritesByEachFlavor(String transport, String flavor) throws Exception {
        String export = flavor.equals("krb5") ? "any" : "strong";
        Files.setAttribute(directory.resolve(export), "unix:uid", ada);
        byte[] bytes = new byte[3_000_001];
        new Random(7).nextBytes(bytes);
        try (FileSystem mounted = FileSystems.newFileSystem(url(transport, export, "sec=" + flavor), keyOf("ada"))) {
            Path file = mounted.getPath("/made");
            Files.write(file, bytes);
            assertThat(Files.readAllBytes(directory.resolve(export).resolve("made")))
                    .isEqualTo(bytes);
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
            assertThat(Files.getAttribute(directory.resolve(export).resolve("made"), "unix:uid"))
                    .isEqualTo(ada);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "strong | sec=krb5 | does not export this with sec=krb5; it lists sec=krb5p, sec=krb5i",
                "strong | sec=sys | does not export this with sec=sys; it lists sec=krb5p, sec=krb5i",
                "usual | sec=krb5p | does not export this with sec=krb5p; it lists sec=sys, flavor 0",
            })
    void aFlavorThatTheServerDoesNotListIsNotMounted(String export, String options, String message) throws Exception {
        Map<String, ?> key = options.equals("sec=sys") ? Map.of() : keyOf("ada");
        assertThatThrownBy(() -> FileSystems.newFileSystem(url("tcp", export, options), key))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message);
    }

    @Test
    void missingTicketsAreExplained() {
        Map<String, ?> none = Map.of("keytab", temporary.resolve("none"), "principal", "ada@" + TestRealm.NAME);
        assertThatThrownBy(() -> FileSystems.newFileSystem(url("tcp", "strong", "sec=krb5p"), none))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no Kerberos credentials")
                .hasMessageContaining("run kinit")
                .message()
                .hasLineCount(1);
    }

    private static int rights(RpcConnection connection, NfsFh3 file) throws IOException, InterruptedException {
        Access3Res result =
                Nfs3Client.on(connection).access(new Access3Args(file, AccessRights.READ | AccessRights.MODIFY));
        return (int) ((Access3Res.Nfs3Ok) result).resok().access();
    }

    private Nfs4CompoundCall at(Client4 client, String... names) {
        Nfs4CompoundCall call = client.call(false);
        call.putRootFh();
        directory.forEach(name -> call.lookup(Component4.of(name.toString())));
        for (String name : names) {
            call.lookup(Component4.of(name));
        }
        return call;
    }

    private static Optional<XdrValue> failureOf(OperationResult<?> result) {
        return result.failure().map(failure -> ((OperationException.Failed) failure).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void version4RefusesFlavorsThatTheExportDoesNotList(String transport) throws Exception {
        try (Client4 claimed = new Client4(connect(transport), "claimed", true);
                Client4 proved = new Client4(as("ada", transport, GssService.NONE), "proved", true);
                Client4 secret = new Client4(as("ada", transport, GssService.PRIVACY), "secret", true)) {
            Nfs4CompoundCall whole = at(secret, "strong");
            OperationResult<?> reached = whole.getattr(Bitmap4.of(Constants.FATTR4_SIZE));
            var handle = whole.getFh();
            whole.await();
            assertThat(reached.failure()).isEmpty();
            NfsFh4 root = handle.get().object();

            for (Client4 weak : List.of(claimed, proved)) {
                Nfs4CompoundCall in = at(weak);
                OperationResult<?> entered = in.lookup(Component4.of("strong"));
                in.await();
                assertThat(failureOf(entered)).contains(Nfsstat4.NFS4ERR_WRONGSEC);

                Nfs4CompoundCall used = weak.call(false);
                OperationResult<?> put = used.putFh(root);
                used.getattr(Bitmap4.of(Constants.FATTR4_SIZE));
                used.await();
                assertThat(failureOf(put)).contains(Nfsstat4.NFS4ERR_WRONGSEC);

                Nfs4CompoundCall through = weak.call(false);
                OperationResult<?> first = through.putFh(root);
                OperationResult<?> then = through.lookup(Component4.of("file"));
                through.await();
                assertThat(first.failure()).isEmpty();
                assertThat(failureOf(then)).contains(Nfsstat4.NFS4ERR_WRONGSEC);

                Nfs4CompoundCall up = weak.call(false);
                up.putFh(root);
                OperationResult<?> above = up.lookupp();
                OperationResult<?> sibling = up.lookup(Component4.of("any"));
                up.await();
                assertThat(above.failure()).isEmpty();
                assertThat(sibling.failure()).isEmpty();

                Nfs4CompoundCall saved = weak.call(false);
                saved.putFh(root);
                saved.saveFh();
                saved.putRootFh();
                OperationResult<?> restored = saved.restoreFh();
                saved.getFh();
                saved.await();
                assertThat(failureOf(restored)).contains(Nfsstat4.NFS4ERR_WRONGSEC);
            }
        }
    }

    private static List<Object> flavors(List<Secinfo4> listed) {
        return listed.stream()
                .map(each -> each instanceof Secinfo4.RpcsecGss gss
                        ? gss.flavorInfo().service()
                        : (Object) each.flavor())
                .toList();
    }

    @Test
    void version4TellsTheFlavors() throws Exception {
        try (Client4 claimed = new Client4(connect("tcp"), "claimed", true)) {
            Nfs4CompoundCall named = at(claimed);
            var strong = named.secInfo(Component4.of("strong"));
            named.await();
            assertThat(flavors(strong.get()))
                    .containsExactly(RpcGssSvcT.RPC_GSS_SVC_PRIVACY, RpcGssSvcT.RPC_GSS_SVC_INTEGRITY);
            assertThat(((Secinfo4.RpcsecGss) strong.get().get(0)).flavorInfo().oid())
                    .isEqualTo(XdrOpaque.of(new byte[] {0x2a, -122, 0x48, -122, -9, 18, 1, 2, 2}));

            Nfs4CompoundCall here = at(claimed, "any");
            var any = here.secInfoNoName(SecinfoStyle4.SECINFO_STYLE4_CURRENT_FH);
            here.await();
            assertThat(flavors(any.get())).containsExactly(RpcGssSvcT.RPC_GSS_SVC_NONE, 1L);

            Nfs4CompoundCall usual = at(claimed);
            var sys = usual.secInfo(Component4.of("usual"));
            usual.await();
            assertThat(flavors(sys.get())).containsExactly(1L, 0L);

            Nfs4CompoundCall top = claimed.call(false);
            top.putRootFh();
            var all = top.secInfoNoName(SecinfoStyle4.SECINFO_STYLE4_CURRENT_FH);
            top.await();
            assertThat(flavors(all.get()))
                    .containsExactly(
                            RpcGssSvcT.RPC_GSS_SVC_PRIVACY,
                            RpcGssSvcT.RPC_GSS_SVC_INTEGRITY,
                            RpcGssSvcT.RPC_GSS_SVC_NONE,
                            1L);
        }
    }

    /** A client that holds state is not displaced by whoever knows its name (RFC 8881 section 18.35.5). */
    @Test
    void aClientsNameBelongsToItsPrincipal() throws Exception {
        try (Client4 ada = new Client4(as("ada", "tcp", GssService.INTEGRITY), "machine", true);
                GssClient bob = as("bob", "tcp", GssService.INTEGRITY);
                RpcClient claimed = connect("tcp")) {
            assertThat(ada.created.csrSequence()).isPositive();
            Nfs4CompoundCall opening = at(ada, "strong");
            OperationResult<?> opened = ada.open(opening, "owner", "file", 1, 0);
            opening.await();
            assertThat(opened.failure()).isEmpty();
            for (RpcConnection other : List.of(bob, claimed)) {
                Nfs4CompoundCall call = Client4.on(other).compound(XdrOpaque.EMPTY, 1);
                var exchanged = call.exchangeId(
                        new ClientOwner4(new Verifier4(XdrOpaque.of(new byte[8])), XdrOpaque.ofUtf8("machine")),
                        0,
                        new StateProtect4A.Sp4None(),
                        List.of());
                call.await();
                assertThat(failureOf(exchanged)).contains(Nfsstat4.NFS4ERR_CLID_INUSE);
            }
        }
    }

    /** The two names have the same hash code. Operations on sessions may come from any principal. */
    @Test
    void aKeptReplyIsForItsPrincipalOnly() throws Exception {
        assertThat("Aa@" + TestRealm.NAME).hasSameHashCodeAs("BB@" + TestRealm.NAME);
        try (Client4 owner = new Client4(as("Aa", "tcp", GssService.INTEGRITY), "owner", true);
                GssClient other = as("BB", "tcp", GssService.INTEGRITY)) {
            Nfs4CompoundCall first = owner.call(true);
            first.putRootFh();
            first.getFh();
            assertThat(first.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall stolen = owner.call(Client4.on(other), owner.sequence(), true);
            stolen.putRootFh();
            stolen.getFh();
            assertThat(stolen.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQ_FALSE_RETRY);

            Nfs4CompoundCall again = owner.call(owner.nfs, owner.sequence(), true);
            again.putRootFh();
            again.getFh();
            assertThat(again.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }
}
