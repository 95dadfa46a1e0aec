// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireOnly('target/generated-sources/emplace', 'p/Event.java', 'q/Event.java')
    .keepTimes('target/generated-sources', 'target/emplace')
return true
