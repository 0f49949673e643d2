/** Rows of nodes for tests of viewers: a small sample cluster at a fixed time. */

export { sampleModel, sampleNode, sampleTime } from './node-rows.ts';
