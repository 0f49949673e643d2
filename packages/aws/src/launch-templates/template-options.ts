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

/** Everything that determines the content of a launch template. Instance types are not part of it. */
export interface TemplateOptions {
  readonly region: string;
  /** Address of the cluster's DNS service. An IPv6 address means that the cluster uses IPv6. */
  readonly dnsIp?: string | undefined;
  /** Part of the name: a class that is deleted deletes its templates by tag, so equal classes must not share one. */
  readonly nodeClass: string;
  readonly family: AmiFamilyName;
  readonly bootstrap: Bootstrap;
  readonly imageId: string;
  readonly instanceProfile: string;
  readonly securityGroups: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly blockDeviceMappings: readonly BlockDeviceMapping[];
  /** Always present on stored objects, because the CRD has a default. */
  readonly metadataOptions?: MetadataOptions | undefined;
  readonly cpuOptions?: CpuOptions | undefined;
  readonly detailedMonitoring: boolean;
  readonly associatePublicIp?: boolean | undefined;
  readonly ipPrefixCount?: number | undefined;
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
  /** Number of EFA interfaces; 0 if no pod requests EFA. */
  readonly efaCount: number;
  readonly enclave: boolean;
  readonly connectionTracking?: ConnectionTracking | undefined;
  readonly capacityType: CapacityType;
  readonly tenancy: 'default' | 'dedicated';
  /** Absent if the ReservedCapacity gate is off; the template then leaves reservations to EC2's default. */
  readonly reservations?: { readonly target?: Omit<ReservationOffer, 'capacity'> | undefined } | undefined;
  readonly placement?: { readonly groupId: string; readonly partition?: string | undefined } | undefined;
}

/** Size limit of the name cache; it is cleared when full. */
const maxNames = 500;
const names = new Map<string, string>();

/** Name of a template: a hash of its content, independent of the order of lists and maps. */
export function launchTemplateName(options: TemplateOptions): string {
  // Cached, because every launch needs the names; sorting and hashing the content takes most of a launch.
  const written = JSON.stringify(options);
  const known = names.get(written);
  if (known !== undefined) return known;
  const name = `${launchTemplateNamePrefix}${fnv1Text(canonicalText(options))}`;
  if (names.size >= maxNames) names.clear();
  names.set(written, name);
  return name;
}

/** Serializes a value with sorted members, without undefined ones. Lists are sorted too. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`);
  return `{${texts.sort().join()}}`;
}
