import type { NodeClaim } from '@karpenter/core/api';
import { awsAnnotationKeys } from '../names/index.ts';

/** The annotation is `<batch>.<uid of the claim>`. The batch also becomes the value of an EC2 tag, hence its form. */
const pattern = /^(?<batch>[\w-]{1,64})\.(?<claim>.+)$/;

/**
 * The annotation that is stored on a claim before its first launch. The uid shows that it was not copied from another
 * claim with a manifest.
 */
export function batchAnnotation(claim: NodeClaim, batch: string): Record<string, string> {
  return { [awsAnnotationKeys.launchBatch]: `${batch}.${uidOf(claim)}` };
}

/** Returns the batch that is recorded on a claim, or undefined. */
export function recordedBatch(claim: NodeClaim): string | undefined {
  const text = claim.metadata.annotations?.[awsAnnotationKeys.launchBatch] ?? '';
  const { batch, claim: uid } = pattern.exec(text)?.groups ?? {};
  return uid === uidOf(claim) ? batch : undefined;
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
