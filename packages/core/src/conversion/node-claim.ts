import { isJsonObject, type JsonObject } from '../schema/index.ts';
import type { ConvertedObject } from './converted-object.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { downgradeReference, upgradeReference } from './node-class-reference.ts';
import type { ConvertedNodePool } from './node-pool.ts';
import { ObjectDraft, subjectOf } from './object-draft.ts';
import { renameKeys } from './renamed-keys.ts';

/**
 * Converts a NodeClaim of `karpenter.sh/v1beta1` to v1. A NodeClaim of v1 has its own expiry. Where that of its
 * NodePool is unknown, it must not get the default of v1, after which nodes of a pool that never expires would go.
 */
export function nodeClaimToV1(
  nodeClaim: JsonObject,
  provider: LegacyProvider,
  expireAfter?: string,
): ConvertedNodePool {
  const draft = new ObjectDraft(subjectOf(nodeClaim), nodeClaim).set(['apiVersion'], 'karpenter.sh/v1');
  upgradeReference(draft, ['spec', 'nodeClassRef'], provider);
  for (const key of ['labels', 'annotations']) renameKeys(draft, ['metadata', key], provider.renamedKeys);
  if (draft.get('spec', 'expireAfter') === undefined) putExpiry(draft, expireAfter);
  const kubelet = draft.get('spec', 'kubelet');
  draft.remove(['spec', 'kubelet']);
  return { ...draft.finish(), ...(isJsonObject(kubelet) && { kubelet }) };
}

const unknownExpiry = 'Never';

function putExpiry(draft: ObjectDraft, expireAfter: string | undefined): void {
  draft.set(['spec', 'expireAfter'], expireAfter ?? unknownExpiry);
  if (expireAfter !== undefined) return;
  draft.warn({
    code: 'expiry-assumed',
    field: ['spec'],
    sentence: 'its NodePool is not among the objects, so the NodeClaim never expires (expireAfter: Never)',
    needsReview: false,
  });
}

/**
 * Converts a NodeClaim of v1 to v1beta1. Fields that v1beta1 did not have stay where they are, so that whoever writes a
 * label as v1beta1 does not change when the node expires.
 */
export function nodeClaimToV1beta1(nodeClaim: JsonObject): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(nodeClaim), nodeClaim).set(['apiVersion'], 'karpenter.sh/v1beta1');
  downgradeReference(draft, ['spec', 'nodeClassRef']);
  if (draft.get('spec', 'expireAfter') === unknownExpiry) draft.remove(['spec', 'expireAfter']);
  return draft.finish();
}
