import type { EC2NodeClassSpec } from '../node-class/index.ts';
import { aliasFamilies } from '../node-class/index.ts';

export type AmiFamilyName = NonNullable<EC2NodeClassSpec['amiFamily']>;

/** Properties of an AMI family that affect capacity, overhead and user data. */
export interface AmiFamily {
  readonly name: AmiFamilyName;
  readonly operatingSystem: 'linux' | 'windows';
  readonly windowsBuild?: string;
  /** Volume that holds container images and data; unknown for custom AMIs. */
  readonly dataVolume?: { readonly deviceName: string; readonly size: string };
  /** Whether the number of pods is limited by network interfaces, because pods get VPC addresses. */
  readonly limitsPodsByInterfaces: boolean;
  /** Whether its AMIs reserve memory for the ENI limit of pods, ignoring `maxPods`. */
  readonly reservesMemoryByInterfaces: boolean;
  /** Whether its AMIs support podsPerCore. */
  readonly readsPodsPerCore: boolean;
}

const linux = {
  operatingSystem: 'linux',
  limitsPodsByInterfaces: true,
  reservesMemoryByInterfaces: true,
  readsPodsPerCore: true,
} as const;

const windows = {
  operatingSystem: 'windows',
  dataVolume: { deviceName: '/dev/sda1', size: '50Gi' },
  limitsPodsByInterfaces: false,
  reservesMemoryByInterfaces: false,
  readsPodsPerCore: true,
} as const;

const amazonLinuxVolume = { deviceName: '/dev/xvda', size: '20Gi' };

/**
 * The AMI families. They differ because their bootstrap
 * programs compute maxPods and kube-reserved differently.
 */
export const amiFamilies: Readonly<Record<AmiFamilyName, AmiFamily>> = {
  AL2: { ...linux, name: 'AL2', dataVolume: amazonLinuxVolume },
  AL2023: { ...linux, name: 'AL2023', dataVolume: amazonLinuxVolume },
  Bottlerocket: {
    ...linux,
    name: 'Bottlerocket',
    dataVolume: { deviceName: '/dev/xvdb', size: '20Gi' },
    reservesMemoryByInterfaces: false,
    readsPodsPerCore: false,
  },
  Custom: { ...linux, name: 'Custom' },
  Windows2019: { ...windows, name: 'Windows2019', windowsBuild: '10.0.17763' },
  Windows2022: { ...windows, name: 'Windows2022', windowsBuild: '10.0.20348' },
  Windows2025: { ...windows, name: 'Windows2025', windowsBuild: '10.0.26100' },
};

/** Returns the family of the class: amiFamily, else that of the alias. The CRD requires one of the two. */
export function amiFamilyOf(spec: Pick<EC2NodeClassSpec, 'amiFamily' | 'amiSelectorTerms'>): AmiFamily {
  return amiFamilies[spec.amiFamily ?? aliasFamilyOf(spec.amiSelectorTerms) ?? 'Custom'];
}

function aliasFamilyOf(terms: EC2NodeClassSpec['amiSelectorTerms']): AmiFamilyName | undefined {
  const [family = ''] = terms.find(({ alias }) => alias !== undefined)?.alias?.split('@') ?? [];
  return isAliasFamily(family) ? aliasFamilies[family] : undefined;
}

function isAliasFamily(family: string): family is keyof typeof aliasFamilies {
  return Object.hasOwn(aliasFamilies, family);
}
