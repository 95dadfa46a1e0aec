// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireOnly('target/generated-sources/emplace', 'p/Event.java')
    .requireOnly('target/generated-test-sources/emplace', 'p/test/Event.java')
    .requireFiles('target/classes/p/Event.class', 'target/test-classes/p/test/Event.class')
    .keepTimes('target/generated-sources', 'target/generated-test-sources', 'target/classes/p', 'target/test-classes/p')
return true
