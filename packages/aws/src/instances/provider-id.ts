import { CodedError } from '@karpenter/core/errors';

/** The provider ID of an instance, as in `spec.providerID` of its Node. */
export function providerIdOf({ id, zone }: { readonly id: string; readonly zone: string }): string {
  return `aws:///${zone}/${id}`;
}

const pattern = /^[^:]+:\/\/\/[^/]+\/(?<id>i-[0-9a-z]+)$/;

/**
 * The instance id in a provider ID; undefined if it does not have the form of EC2. Any scheme passes, as in Karpenter.
 */
export function instanceIdIn(providerId: string): string | undefined {
  return pattern.exec(providerId)?.groups?.['id'];
}

export function parseInstanceId(providerId: string): string {
  const id = instanceIdIn(providerId);
  if (id !== undefined) return id;
  throw new CodedError(
    'instance-not-found',
    `cannot tell the instance of provider id ${JSON.stringify(providerId)}: it is not of the form aws:///zone/instance-id`,
    { details: { providerId } },
  );
}
