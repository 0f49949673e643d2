import type { Instant } from '@karpenter/kube/runtime';
import { publishImages } from './default-world.ts';
import type { Image, ImageSystem } from './image.ts';
import type { CloudWorld } from './world.ts';

const dayMs = 86_400_000;

/**
 * Publishes a release of every system that is newer than those the account has, and returns its images. The newest
 * images of a new account are some days old, so a release is dated to the first day that has new ones.
 */
export function releaseImages(world: CloudWorld, now: Instant): readonly Image[] {
  const known = new Set(world.images.keys());
  const systems = new Set([...world.images.values()].map(({ system }) => system));
  const isReleased = () => [...systems].every((system) => !known.has(newestOf(world, system)));
  for (let at = now; !isReleased(); at += dayMs) publishImages(world, at);
  return [...world.images.values()].filter(({ id }) => !known.has(id));
}

function newestOf({ images }: CloudWorld, system: ImageSystem): string {
  const own = [...images.values()].filter((image) => image.system === system);
  return own.reduce((newest, image) => (image.createdAt > newest.createdAt ? image : newest), own[0] ?? none)
    .id;
}

const none = { id: '', createdAt: 0 };
