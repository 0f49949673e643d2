import type {
  DeviceClassView,
  DevicesView,
  ResourceClaimView,
  ResourceSliceView,
} from '@karpenter/core/scheduling';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { shapedAs } from '../cluster/index.ts';

// The fields that plans read. The API server has validated the objects, so they are not checked again.
const resourceSlices: Kind<KubeObject & ResourceSliceView> = shapedAs(kinds.resourceSlice);
const resourceClaims: Kind<KubeObject & ResourceClaimView> = shapedAs(kinds.resourceClaim);
const deviceClasses: Kind<KubeObject & DeviceClassView> = shapedAs(kinds.deviceClass);

export const deviceKinds: readonly Kind[] = [resourceSlices, resourceClaims, deviceClasses];

/** The ResourceSlices, ResourceClaims and DeviceClasses of the cluster, from the watch caches. */
export function claimedDevices(caches: ObjectCaches): DevicesView {
  return {
    slices: caches.of(resourceSlices).list(),
    claims: caches.of(resourceClaims).list(),
    classes: caches.of(deviceClasses).list(),
  };
}
