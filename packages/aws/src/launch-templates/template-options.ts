import { type CapacityType, fnv1Text } from '@karpenter/core/api';
import type { AmiFamilyName } from '../ami-family/index.ts';
import type { ReservationOffer } from '../launchable/index.ts';
import { launchTemplateNamePrefix } from '../names/index.ts';
import type {
  BlockDeviceMapping,
  ConnectionTracking,
  CpuOptions,
  MetadataOptions,
  NetworkInterface,
} from '../node-class/index.ts';
import type { Bootstrap } from '../user-data/index.ts';

/** All that decides what is in a launch template; instance types do not. */
export interface TemplateOptions {
  readonly region: string;
  /** Address of the DNS service of the cluster, which tells the family of addresses. */
  readonly dnsIp?: string | undefined;
  readonly nodeClass: string;
  readonly family: AmiFamilyName;
  readonly bootstrap: Bootstrap;
  readonly imageId: string;
  readonly instanceProfile: string;
  readonly securityGroups: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly blockDeviceMappings: readonly BlockDeviceMapping[];
  /** Never absent on objects that the API server has stored. */
  readonly metadataOptions?: MetadataOptions | undefined;
  readonly cpuOptions?: CpuOptions | undefined;
  readonly detailedMonitoring: boolean;
  readonly associatePublicIp?: boolean | undefined;
  readonly ipPrefixCount?: number | undefined;
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
  /** How many EFA interfaces to make; 0 where nobody asked for any. */
  readonly efaCount: number;
  readonly enclave: boolean;
  readonly connectionTracking?: ConnectionTracking | undefined;
  readonly capacityType: CapacityType;
  readonly tenancy: 'default' | 'dedicated';
  /** Absent where the gate ReservedCapacity is off: then nothing is said of reservations. */
  readonly reservations?: { readonly target?: Omit<ReservationOffer, 'capacity'> | undefined } | undefined;
  readonly placement?: { readonly groupId: string; readonly partition?: string | undefined } | undefined;
}

const mostNames = 500;
const names = new Map<string, string>();

/** The same for the same content, in whatever order lists and maps of it come. */
export function launchTemplateName(options: TemplateOptions): string {
  const text = canonicalText(options);
  const known = names.get(text);
  if (known !== undefined) return known;
  // Every launch asks for the names of its templates, and hashing user data takes longer than all else about them.
  const name = `${launchTemplateNamePrefix}${fnv1Text(text)}`;
  if (names.size >= mostNames) names.clear();
  names.set(text, name);
  return name;
}

/** A text in which members are sorted and what is undefined is left out. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`);
  return `{${texts.sort().join()}}`;
}
