// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireOnly('target/generated-sources/emplace', 'p/Event.java', 'p/Person.java')
    .requireUntouched('target/generated-sources/emplace/p/Event.java')
return true
