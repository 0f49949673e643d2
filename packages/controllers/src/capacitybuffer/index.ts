/**
 * The controller `capacitybuffer` (feature gate CapacityBuffer): resolves buffers and writes their status.
 */
export { type BufferContext, writeBufferOutcomes } from './buffer-status.ts';
export { capacityBuffer } from './capacity-buffer.ts';
