export { sampleModel, sampleNode, sampleTime } from './node-rows.ts';
