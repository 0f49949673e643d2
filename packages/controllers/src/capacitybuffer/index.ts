/**
 * The controller `capacitybuffer` (feature gate CapacityBuffer): resolves buffers, writes their status and
 * triggers plans. It writes the status of CapacityBuffers and nothing else. Start with `capacity-buffer.ts`;
 * `buffer-status.ts` also serves the provisioner, which writes what a plan did for each buffer.
 */
export { writeBufferOutcomes } from './buffer-status.ts';
export { capacityBuffer } from './capacity-buffer.ts';
