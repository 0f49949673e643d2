import type { Tagged } from './tags.ts';

/** What runs on an image, and so which user data it understands. */
export type ImageSystem = 'al2' | 'al2023' | 'bottlerocket' | 'windows' | 'other';

export type Architecture = 'x86_64' | 'arm64';

export interface Image extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly system: ImageSystem;
  readonly architecture: Architecture;
  readonly ownerId: string;
  /** `amazon` where the owner is known by a name. */
  readonly ownerAlias?: string;
  readonly createdAt: number;
  readonly deprecatedAt?: number;
  readonly state: 'available' | 'deregistered' | 'pending';
  readonly rootDevice: string;
  /** Sizes in GiB by device. */
  readonly disks: Readonly<Record<string, number>>;
}
