import type { EC2NodeClassSpec } from '../../node-class/index.ts';
import type { FindingList } from '../finding.ts';
import type { EksctlFields } from './fields.ts';

type Kubelet = NonNullable<EC2NodeClassSpec['kubelet']>;

/** Kubelet fields with the same name in an EC2NodeClass, each with its reader. */
const readers: Readonly<Record<string, (fields: EksctlFields, name: string) => unknown>> = {
  maxPods: (fields, name) => fields.count(name),
  podsPerCore: (fields, name) => fields.count(name),
  evictionMaxPodGracePeriod: (fields, name) => fields.count(name),
  imageGCHighThresholdPercent: (fields, name) => fields.count(name),
  imageGCLowThresholdPercent: (fields, name) => fields.count(name),
  cpuCFSQuota: (fields, name) => fields.flag(name),
  clusterDNS: (fields, name) => fields.texts(name),
  systemReserved: (fields, name) => fields.map(name),
  kubeReserved: (fields, name) => fields.map(name),
  evictionHard: (fields, name) => fields.map(name),
  evictionSoft: (fields, name) => fields.map(name),
  evictionSoftGracePeriod: (fields, name) => fields.map(name),
};

export function kubeletOf(fields: EksctlFields, findings: FindingList): Kubelet | undefined {
  const extra = fields.child('kubeletExtraConfig');
  const kubelet: Record<string, unknown> = {};
  for (const name of extra.names) {
    const reader = readers[name];
    if (reader === undefined)
      findings.unmapped(
        `kubeletExtraConfig.${name}`,
        'EC2NodeClass spec.kubelet has no such field: set it in spec.userData',
      );
    else kubelet[name] = reader(extra, name);
  }
  const maxPods = fields.count('maxPodsPerNode');
  const dns = fields.text('clusterDNS');
  if (maxPods !== undefined) kubelet['maxPods'] = maxPods;
  if (dns !== undefined) kubelet['clusterDNS'] = [dns];
  return Object.keys(kubelet).length === 0 ? undefined : kubelet;
}
