import type { EC2NodeClassSpec } from '../node-class/index.ts';
import { aliasFamilies } from '../node-class/selector-terms.ts';

export type AmiFamilyName = NonNullable<EC2NodeClassSpec['amiFamily']>;

/** What of an image family decides how much of a machine is left for pods. */
export interface AmiFamily {
  readonly name: AmiFamilyName;
  readonly operatingSystem: 'linux' | 'windows';
  readonly windowsBuild?: string;
  /** The volume that images and containers live on; none is known of an image that is somebody's own. */
  readonly dataVolume?: { readonly deviceName: string; readonly size: string };
  /** Pods get addresses of the VPC, so that the network interfaces limit their number. */
  readonly limitsPodsByInterfaces: boolean;
  /** Its images reserve memory for as many pods as the interfaces allow, whatever `maxPods` says. */
  readonly reservesMemoryByInterfaces: boolean;
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

/** The family that the class names, else that of its alias; the CRD sees to it that there is one of the two. */
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
