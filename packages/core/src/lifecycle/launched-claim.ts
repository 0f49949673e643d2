import type { NodeClaim } from '../api/index.ts';
import type { Machine } from '../ports/index.ts';
import { withStatus } from './claim-status.ts';

/**
 * The claim with what is known since its machine exists. Labels that people gave it win over the cloud's, since
 * pods were placed by them; annotations of the cloud win, since they tell what it did.
 */
export function launchedClaim(claim: NodeClaim, machine: Machine): NodeClaim {
  const { metadata } = claim;
  const labelled: NodeClaim = {
    ...claim,
    metadata: {
      ...metadata,
      labels: { ...machine.labels, ...metadata.labels },
      annotations: { ...metadata.annotations, ...machine.annotations },
    },
  };
  return withStatus(labelled, {
    providerID: machine.providerId,
    ...(machine.imageId !== '' && { imageID: machine.imageId }),
    capacity: machine.capacity,
    allocatable: machine.allocatable,
  });
}
