/* SPDX-License-Identifier: Apache-2.0 */
const LIMIT = 5;
