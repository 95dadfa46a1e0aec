// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireFiles('target/generated-sources/emplace/p/Event.java', 'target/classes/p/Event.class')
    .requireLog('1 source of p in target/generated-sources/emplace')
    .keepTimes('target/generated-sources', 'target/classes/p', 'target/emplace')
return true
