/**
 * The controller `capacitybuffer` (feature gate CapacityBuffer): resolves buffers, writes their status and
 * triggers plans. Start with `capacity-buffer.ts`; `buffer-status.ts` also serves the provisioner, which writes
 * what a plan did for each buffer.
 */
export { writeBufferOutcomes } from './buffer-status.ts';
export { capacityBuffer } from './capacity-buffer.ts';
