import { CodedError } from '@karpenter/core/errors';
import type { ConversionHandler } from '@karpenter/kube/webhooks';

/**
 * Converts a stored object to another API version. The only place to add conversions: `/convert` of the
 * webhook calls it for each object of a ConversionReview, and the user sees the message of what it throws.
 */
export const convertStored: ConversionHandler = ({ apiVersion, kind, metadata }, desired) => {
  throw new CodedError(
    'unsupported-conversion',
    `cannot convert ${kind} ${metadata?.name ?? ''} from ${apiVersion} to ${desired}: there is no conversion between these versions; store it in a version that the custom resource definition serves`,
  );
};
