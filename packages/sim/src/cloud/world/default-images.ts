import type { Instant } from '@karpenter/kube/runtime';
import { hashText } from '../../objects/chance.ts';
import type { Image, ImageSystem } from './image.ts';
import { type ImageLine, imageLines } from './image-lines.ts';
import type { Parameter } from './world.ts';

/** A release of a series. */
export interface Release {
  readonly version: string;
  readonly createdAt: Instant;
  readonly deprecatedAt?: Instant;
}

export interface PublishedImages {
  readonly images: readonly Image[];
  readonly parameters: readonly Parameter[];
}

export const dayMs = 86_400_000;
/** Offset that gives the releases of 2026 minor versions above fifty, like the real ones. */
export const firstFortnight = 1_410;

/**
 * The images and SSM parameters that AWS has published for a minor version of Kubernetes: three releases of
 * each series.
 */
export function publishedImages(minor: string, now: Instant): PublishedImages {
  const published = imageLines(minor).map((line) => publish(line, releasesOf(line.system, now)));
  return {
    images: published.flatMap(({ images }) => images),
    parameters: published.flatMap(({ parameters }) => parameters),
  };
}

/** Oldest first; the oldest is deprecated, so that tests cover deprecated images. */
function releasesOf(system: ImageSystem, now: Instant): readonly Release[] {
  const ages = [400, 45, 10];
  return ages.map((days, index) => {
    const createdAt = Math.floor((now - days * dayMs) / dayMs) * dayMs;
    const date = new Date(createdAt).toISOString().slice(0, 10).replaceAll('-', '');
    return {
      version: system === 'bottlerocket' ? `1.${fortnight(createdAt)}.0` : `v${date}`,
      createdAt,
      ...(index === 0 && { deprecatedAt: now - dayMs }),
    };
  });
}

/** Bottlerocket numbers its releases; one per fortnight is close to its real pace. */
function fortnight(at: Instant): number {
  return Math.floor(at / (14 * dayMs)) - firstFortnight;
}

function publish(line: ImageLine, releases: readonly Release[]): PublishedImages {
  const images = releases.map((release) => imageOf(line, release));
  const parameters = images.flatMap((image, index) => {
    const release = releases[index];
    const path = release === undefined ? undefined : line.pinned?.(release.version);
    return path === undefined ? [] : [parameterOf(path, image, 1)];
  });
  const newest = images.at(-1);
  return newest === undefined
    ? { images, parameters }
    : { images, parameters: [...parameters, parameterOf(line.latest, newest, images.length)] };
}

export function imageOf(line: ImageLine, { version, createdAt, deprecatedAt }: Release): Image {
  const name = line.name(version);
  const [rootDevice = ''] = Object.keys(line.disks);
  return {
    id: imageId(`${name} ${line.architecture}`),
    name,
    system: line.system,
    architecture: line.architecture,
    ownerId: line.ownerId,
    ownerAlias: 'amazon',
    createdAt,
    ...(deprecatedAt !== undefined && { deprecatedAt }),
    state: 'available',
    rootDevice,
    disks: line.disks,
    tags: new Map(),
  };
}

/** An id that depends only on the name, because the ids of published images do not change between runs. */
function imageId(name: string): string {
  const digits = [0, 1].map((part) => hashText(`${part}${name}`).toString(16).padStart(8, '0')).join('');
  return `ami-0${digits}`;
}

export function parameterOf(name: string, image: Image, version: number): Parameter {
  return { name, value: image.id, version, modifiedAt: image.createdAt };
}
