import type {
  DeviceClassView,
  DevicesView,
  ResourceClaimView,
  ResourceSliceView,
} from '@karpenter/core/scheduling';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { shapedAs } from '../cluster/index.ts';

/** The shapes that plans read; the server has checked them. */
const resourceSlices: Kind<KubeObject & ResourceSliceView> = shapedAs(kinds.resourceSlice);
const resourceClaims: Kind<KubeObject & ResourceClaimView> = shapedAs(kinds.resourceClaim);
const deviceClasses: Kind<KubeObject & DeviceClassView> = shapedAs(kinds.deviceClass);

/** What drivers offer and pods claim now, among watched objects. */
export function claimedDevices(caches: ObjectCaches): DevicesView {
  return {
    slices: caches.of(resourceSlices).list(),
    claims: caches.of(resourceClaims).list(),
    classes: caches.of(deviceClasses).list(),
  };
}
