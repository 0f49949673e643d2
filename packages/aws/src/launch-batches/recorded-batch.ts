import type { NodeClaim } from '@karpenter/core/api';
import { awsAnnotationKeys } from '../names/index.ts';

/** The batch becomes the value of a tag. */
const pattern = /^(?<batch>[\w-]{1,64})\.(?<claim>.+)$/;

/** What is stored on a claim before its first launch. The uid marks it as its own, not copied with a manifest. */
export function batchAnnotation(claim: NodeClaim, batch: string): Record<string, string> {
  return { [awsAnnotationKeys.launchBatch]: `${batch}.${uidOf(claim)}` };
}

/** The batch that is recorded on a claim, undefined if there is none. */
export function recordedBatch(claim: NodeClaim): string | undefined {
  const text = claim.metadata.annotations?.[awsAnnotationKeys.launchBatch] ?? '';
  const { batch, claim: uid } = pattern.exec(text)?.groups ?? {};
  return uid === uidOf(claim) ? batch : undefined;
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
