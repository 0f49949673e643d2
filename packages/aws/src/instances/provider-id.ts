import { CodedError } from '@karpenter/core/errors';

/** How Kubernetes names an instance. */
export function providerIdOf({ id, zone }: { readonly id: string; readonly zone: string }): string {
  return `aws:///${zone}/${id}`;
}

const pattern = /^[^:]+:\/\/\/[^/]+\/(?<id>i-[0-9a-z]+)$/;

/** The id of the instance in a provider id, undefined if it is none of EC2. */
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
