/** A CloudProvider in memory, for tests of controllers that need no AWS behaviour. */
export { MemoryCloud } from './memory-cloud.ts';
export { type TestNodeClass, testNodeClassKind } from './test-node-class.ts';
