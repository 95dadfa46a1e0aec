// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir).requireLog('<failOnWarning> treats them as errors').requireOnly('target')
return true
