// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireFiles('one/target/classes/one/Event.class', 'two/target/classes/two/Event.class')
    .keepTimes('one/target/generated-sources', 'two/target/generated-sources', 'one/target/classes/one', 'two/target/classes/two')
return true
