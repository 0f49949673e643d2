export { type BufferContext, writeBufferOutcomes } from './buffer-status.ts';
export { capacityBuffer } from './capacity-buffer.ts';
