import type { Instant } from '@karpenter/kube/runtime';
import { dayMs, firstFortnight, imageOf, parameterOf, type Release } from './default-images.ts';
import type { ImageSystem } from './image.ts';
import { imageLines } from './image-lines.ts';
import type { CloudWorld, Parameter } from './world.ts';

/** First days on which AWS published images of each series. */
const firstReleases: Readonly<Partial<Record<ImageSystem, Instant>>> = {
  al2: Date.UTC(2018, 5, 1),
  al2023: Date.UTC(2023, 9, 1),
};
/** AWS deprecates its images after two years. */
const supportedDays = 730;

/**
 * Publishes the image of a release that a parameter names, as if AWS had published it on its day. Pinned
 * releases thus exist without keeping years of images in every account. Returns undefined for names that no
 * release has or had: other paths, impossible dates, dates in the future or before the series began.
 */
export function publishPinned(world: CloudWorld, name: string, now: Instant): Parameter | undefined {
  const [, minor = ''] = /(?:optimized-ami\/|aws-k8s-)(1\.\d+)/.exec(name) ?? [];
  const [, version = ''] = /(v\d{8}|(?<!\d)\d+\.\d+\.\d+)\/image_id$/.exec(name) ?? [];
  const line = imageLines(minor).find((each) => each.pinned?.(version) === name);
  const release = line && releaseOf(line.system, version, now);
  if (line === undefined || release === undefined) return undefined;
  const image = imageOf(line, release);
  const parameter = parameterOf(name, image, 1);
  world.images.set(image.id, image);
  world.parameters.set(name, parameter);
  return parameter;
}

function releaseOf(system: ImageSystem, version: string, now: Instant): Release | undefined {
  const createdAt = system === 'bottlerocket' ? numberedDay(version, now) : datedDay(version);
  if (createdAt === undefined || createdAt > now || createdAt < (firstReleases[system] ?? 0))
    return undefined;
  return { version, createdAt, deprecatedAt: createdAt + supportedDays * dayMs };
}

/** The day in `v20240807`; undefined if the calendar has no such day. */
function datedDay(version: string): Instant | undefined {
  const text = version.replace(/^v(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const day = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(day)) return undefined;
  return new Date(day).toISOString().startsWith(text) ? day : undefined;
}

/** Approximate day of a release such as `1.20.3`, with one minor version per fortnight; never in the future. */
function numberedDay(version: string, now: Instant): Instant | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major !== 1) return undefined;
  return Math.min((minor + firstFortnight) * 14 * dayMs, now);
}
