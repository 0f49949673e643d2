/**
 * Which fleet requests a NodeClaim may be part of, recorded on the claim before the first of them is sent, so
 * that the next leader repeats them under the same client tokens (ADR 0036). In memory; the controller
 * nodeclaim.lifecycle writes the annotation. Start with `launch-batches.ts`.
 */

export { type BatchEntry, LaunchBatches } from './launch-batches.ts';
export { batchAnnotation, recordedBatch } from './recorded-batch.ts';
