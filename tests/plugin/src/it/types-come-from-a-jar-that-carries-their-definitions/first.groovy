// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireFiles(
        'nfs/target/classes/META-INF/xdr/org.example.nfs/nfs3.x',
        'mount/target/classes/org/example/mount/Mountres.class',
        'mount/target/classes/mount/Root.class')
    .keepTimes('mount/target/generated-sources', 'nfs/target/generated-sources', 'nfs/target/generated-resources')
assert !new File(basedir, 'mount/target/classes/org/example/mount/NfsFh3.class').exists()
return true
