import type { Image } from '@aws-sdk/client-ec2';
import { labelKeys } from '@karpenter/core/api';
import type { RequirementItem } from '@karpenter/core/requirements';
import type { Instant } from '@karpenter/kube/runtime';
import type { AmiStatus } from '../node-class/index.ts';

/** Kubernetes architecture names by EC2's. */
const architectures: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' };

/** Requirements of AMIs found through an alias, by AMI id. Other AMIs fit any type of their architecture. */
export type KnownUses = ReadonlyMap<string, readonly (readonly RequirementItem[])[]>;

interface Candidate {
  readonly image: Image;
  readonly requirements: readonly RequirementItem[];
  readonly isDeprecated: boolean;
}

/** Returns the best AMI for each set of requirements, newest first, as Karpenter lists them in the status. */
export function chooseImages(
  images: readonly Image[],
  knownUses: KnownUses,
  now: Instant,
): readonly AmiStatus[] {
  const best = new Map<string, Candidate>();
  for (const candidate of images.flatMap((image) => candidatesOf(image, knownUses, now))) {
    const key = JSON.stringify(candidate.requirements);
    const earlier = best.get(key);
    if (earlier === undefined || isBetter(candidate, earlier)) best.set(key, candidate);
  }
  return [...best.values()].sort(byAge).map(statusOf);
}

function candidatesOf(image: Image, knownUses: KnownUses, now: Instant): readonly Candidate[] {
  const architecture = architectures[image.Architecture ?? ''];
  if (architecture === undefined) return [];
  const own: RequirementItem = { key: labelKeys.architecture, operator: 'In', values: [architecture] };
  // Without an alias only the architecture is known, so one AMI per architecture remains.
  const uses = knownUses.get(image.ImageId ?? '') ?? [[]];
  const requirements = uses.map((use) => [...use, own].sort(byKey));
  return requirements.map((each) => ({
    image,
    requirements: each,
    isDeprecated: isDeprecated(image, now),
  }));
}

/** Whether the deprecation time has passed. Deprecated AMIs still launch, but newer ones are preferred. */
export function isDeprecated({ DeprecationTime: time }: Image, now: Instant): boolean {
  return time !== undefined && Date.parse(time) <= now;
}

/** Order of requirements in the status: shorter keys first. */
function byKey(a: RequirementItem, b: RequirementItem): number {
  return a.key.length - b.key.length || (a.key < b.key ? -1 : 1);
}

/**
 * Prefers AMIs that are not deprecated, then newer ones, then the greater name, so that the choice is stable.
 */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isDeprecated !== b.isDeprecated) return b.isDeprecated;
  const age = createdAt(a) - createdAt(b);
  return age === 0 ? (a.image.Name ?? '') > (b.image.Name ?? '') : age > 0;
}

function byAge(a: Candidate, b: Candidate): number {
  return createdAt(b) - createdAt(a) || ((a.image.ImageId ?? '') < (b.image.ImageId ?? '') ? -1 : 1);
}

function createdAt({ image }: Candidate): Instant {
  const time = Date.parse(image.CreationDate ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function statusOf({ image, requirements, isDeprecated: deprecated }: Candidate): AmiStatus {
  return {
    id: image.ImageId ?? '',
    ...(image.Name !== undefined && { name: image.Name }),
    ...(deprecated && { deprecated }),
    requirements: requirements.map(({ key, operator, values }) => ({
      key,
      operator,
      ...(values !== undefined && { values: [...values] }),
    })),
  };
}
