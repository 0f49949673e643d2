/**
 * Rows of nodes for tests of viewers: a small sample cluster at a fixed time. Pure builders. Start with
 * `node-rows.ts`.
 */

export { sampleModel, sampleNode, sampleTime } from './node-rows.ts';
