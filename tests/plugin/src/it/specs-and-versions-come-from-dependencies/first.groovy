// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireFiles('target/classes/p/Rpcb4Client.class', 'target/classes/p/Watched.class')
    .keepTimes('target/generated-sources', 'target/classes/p')
return true
