/**
 * A CloudProvider in memory, for tests of controllers that need no AWS behaviour, and the NodeClass that
 * belongs to it. Tests set and read its fields; it calls nothing. Start with `memory-cloud.ts`.
 */
export { MemoryCloud } from './memory-cloud.ts';
export { type TestNodeClass, testNodeClassKind } from './test-node-class.ts';
