// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireText('target/generated-sources/emplace/p/Constants.java', 'LIMIT = 5')
    .requireText('target/generated-sources/emplace/p/Wide.java', 'record Wide(XdrLongs when)')
    .requireLog("$basedir/src/main/xdr/event.x:2:2: note[")
return true
