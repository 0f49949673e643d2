import type { Tagged } from './tags.ts';

/**
 * The operating system of an image, which determines the format of its user data. `other` is a custom image.
 */
export type ImageSystem = 'al2' | 'al2023' | 'bottlerocket' | 'windows' | 'other';

export type Architecture = 'x86_64' | 'arm64';

export interface Image extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly system: ImageSystem;
  readonly architecture: Architecture;
  readonly ownerId: string;
  /** The alias of the owner, `amazon` for published images. */
  readonly ownerAlias?: string;
  readonly createdAt: number;
  readonly deprecatedAt?: number;
  readonly state: 'available' | 'deregistered' | 'pending';
  readonly rootDevice: string;
  /** Volume sizes in GiB, by device name. */
  readonly disks: Readonly<Record<string, number>>;
}
