/**
 * Batches of NodeClaims that share fleet requests. A batch is recorded on its claims before the first request is sent,
 * so that the next leader repeats the requests under the same client tokens (ADR 0036). In memory; the controller
 * nodeclaim.lifecycle writes the annotation. Start with `launch-batches.ts`.
 */

export { type BatchEntry, LaunchBatches } from './launch-batches.ts';
export { batchAnnotation, recordedBatch } from './recorded-batch.ts';
