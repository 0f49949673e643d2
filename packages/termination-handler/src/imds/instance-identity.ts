import { isRecord } from '@karpenter/kube/client';
import type { MetadataReader } from './metadata-client.ts';

/** What the instance says about itself; empty texts where it says nothing. */
export interface InstanceIdentity {
  readonly accountId: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly instanceLifeCycle: string;
  readonly availabilityZone: string;
  readonly region: string;
  readonly localHostname: string;
  readonly localIp: string;
  readonly publicHostname: string;
  readonly publicIp: string;
}

type Document = Readonly<Record<string, unknown>>;

/** Reads the identity document, and single entries where the document is missing or lacks a field. */
export async function readInstanceIdentity(
  metadata: MetadataReader,
  signal?: AbortSignal,
): Promise<InstanceIdentity> {
  const document = documentOf(await metadata.read('dynamic/instance-identity/document', signal));
  const stated = (key: string): string => (typeof document[key] === 'string' ? document[key] : '');
  const entry = async (path: string) => (await metadata.read(`meta-data/${path}`, signal)) ?? '';
  const availabilityZone = stated('availabilityZone') || (await entry('placement/availability-zone'));
  return {
    accountId: stated('accountId'),
    instanceId: stated('instanceId') || (await entry('instance-id')),
    instanceType: stated('instanceType') || (await entry('instance-type')),
    instanceLifeCycle: await entry('instance-life-cycle'),
    availabilityZone,
    region: stated('region') || availabilityZone.replace(/[a-z]$/, ''),
    localHostname: await entry('local-hostname'),
    localIp: stated('privateIp') || (await entry('local-ipv4')),
    publicHostname: await entry('public-hostname'),
    publicIp: await entry('public-ipv4'),
  };
}

function documentOf(text: string | undefined): Document {
  try {
    const document: unknown = JSON.parse(text ?? '{}');
    return isRecord(document) ? document : {};
  } catch {
    return {};
  }
}
