import type { NodeClaim } from '../api/index.ts';
import type { CloudInstance } from '../ports/index.ts';
import { withStatus } from './claim-status.ts';

/**
 * The claim after its instance was launched. As in Karpenter, its own labels win over the provider's, because pods were
 * placed by them, but annotations of the provider win, because they record what it did.
 */
export function launchedClaim(claim: NodeClaim, instance: CloudInstance): NodeClaim {
  const { metadata } = claim;
  const labelled: NodeClaim = {
    ...claim,
    metadata: {
      ...metadata,
      labels: { ...instance.labels, ...metadata.labels },
      annotations: { ...metadata.annotations, ...instance.annotations },
    },
  };
  return withStatus(labelled, {
    providerID: instance.providerId,
    ...(instance.imageId !== '' && { imageID: instance.imageId }),
    capacity: instance.capacity,
    allocatable: instance.allocatable,
  });
}
