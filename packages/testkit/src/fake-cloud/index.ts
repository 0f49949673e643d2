/** A CloudProvider in memory, for tests of controllers that need no AWS behaviour. */
export { type CloudCall, MemoryCloud, type MemoryCloudOptions } from './memory-cloud.ts';
export { type TestNodeClass, testNodeClass, testNodeClassKind } from './test-node-class.ts';
