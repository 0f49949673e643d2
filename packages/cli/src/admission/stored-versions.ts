import { convert } from '@karpenter/aws/conversion';
import type { JsonObject } from '@karpenter/core/schema';
import type { KubeObject } from '@karpenter/kube/client';
import type { ConversionHandler } from '@karpenter/kube/webhooks';

/**
 * Converts a stored object to another API version: `/convert` of the webhook calls it for each object of a
 * ConversionReview, and the user sees the message of what it throws. The objects are parsed JSON, which their
 * type does not say.
 */
export const convertStored: ConversionHandler = (object, desired) =>
  convert(object as unknown as JsonObject, desired) as unknown as KubeObject;
