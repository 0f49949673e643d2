export { type CloudCall, MemoryCloud, type MemoryCloudOptions } from './memory-cloud.ts';
export { type TestNodeClass, testNodeClass, testNodeClassKind } from './test-node-class.ts';
