import type { InstanceIdentity } from '../imds/index.ts';

/** Annotations of every event: the identity of the instance, and those that the setting adds. */
export function eventAnnotations(
  identity: InstanceIdentity,
  extra: string,
): Readonly<Record<string, string>> {
  const own = {
    'account-id': identity.accountId,
    'availability-zone': identity.availabilityZone,
    'instance-id': identity.instanceId,
    'instance-life-cycle': identity.instanceLifeCycle,
    'instance-type': identity.instanceType,
    'local-hostname': identity.localHostname,
    'local-ipv4': identity.localIp,
    'public-hostname': identity.publicHostname,
    'public-ipv4': identity.publicIp,
    region: identity.region,
  };
  const added = extra
    .split(',')
    .filter((pair) => pair.includes('='))
    .map((pair): readonly [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    });
  return { ...own, ...Object.fromEntries(added) };
}
