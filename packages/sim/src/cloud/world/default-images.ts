import type { Instant } from '@karpenter/kube/runtime';
import { hashText } from '../../objects/chance.ts';
import type { Architecture, Image, ImageSystem } from './image.ts';
import type { Parameter } from './world.ts';

/** One series of images that AWS publishes, of which each release is an image. */
interface ImageLine {
  readonly system: ImageSystem;
  readonly architecture: Architecture;
  readonly ownerId: string;
  readonly disks: Readonly<Record<string, number>>;
  /** The name of the image of a release. */
  name(version: string): string;
  /** The SSM parameters of the newest release, and of a given one where AWS has such a parameter. */
  readonly latest: string;
  pinned?(version: string): string;
}

interface Release {
  readonly version: string;
  readonly createdAt: Instant;
  readonly deprecatedAt?: Instant;
}

export interface PublishedImages {
  readonly images: readonly Image[];
  readonly parameters: readonly Parameter[];
}

const eksOwner = '602401143452';
const bottlerocketOwner = '092701018921';
const windowsOwner = '801119661308';
const dayMs = 86_400_000;
/** Offset that gives the releases of 2026 minor versions above fifty, like the real ones. */
const firstFortnight = 1_410;

/**
 * The images and SSM parameters that AWS has published for a minor version of Kubernetes: three releases of
 * each series.
 */
export function publishedImages(minor: string, now: Instant): PublishedImages {
  const lines = [
    ...amazonLinux2(minor),
    ...amazonLinux2023(minor),
    ...bottlerocket(minor),
    ...windows(minor),
  ];
  const published = lines.map((line) => publish(line, releasesOf(line.system, now)));
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

function imageOf(line: ImageLine, { version, createdAt, deprecatedAt }: Release): Image {
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

function parameterOf(name: string, image: Image, version: number): Parameter {
  return { name, value: image.id, version, modifiedAt: image.createdAt };
}

const optimized = '/aws/service/eks/optimized-ami';

function amazonLinux2(minor: string): readonly ImageLine[] {
  const variants: readonly [string, string, Architecture][] = [
    ['amazon-linux-2', 'amazon-eks-node', 'x86_64'],
    ['amazon-linux-2-arm64', 'amazon-eks-arm64-node', 'arm64'],
    ['amazon-linux-2-gpu', 'amazon-eks-gpu-node', 'x86_64'],
  ];
  return variants.map(([folder, prefix, architecture]) => {
    const name = (version: string) => `${prefix}-${minor}-${version}`;
    return {
      system: 'al2',
      architecture,
      ownerId: eksOwner,
      disks: { '/dev/xvda': 20 },
      name,
      latest: `${optimized}/${minor}/${folder}/recommended/image_id`,
      pinned: (version) => `${optimized}/${minor}/${folder}/${name(version)}/image_id`,
    };
  });
}

function amazonLinux2023(minor: string): readonly ImageLine[] {
  const variants: readonly [Architecture, string][] = [
    ['x86_64', 'standard'],
    ['x86_64', 'nvidia'],
    ['x86_64', 'neuron'],
    ['arm64', 'standard'],
    ['arm64', 'nvidia'],
  ];
  return variants.map(([architecture, variant]) => {
    const name = (version: string) => `amazon-eks-node-al2023-${architecture}-${variant}-${minor}-${version}`;
    const folder = `${optimized}/${minor}/amazon-linux-2023/${architecture}/${variant}`;
    return {
      system: 'al2023',
      architecture,
      ownerId: eksOwner,
      disks: { '/dev/xvda': 20 },
      name,
      latest: `${folder}/recommended/image_id`,
      pinned: (version) => `${folder}/${name(version)}/image_id`,
    };
  });
}

function bottlerocket(minor: string): readonly ImageLine[] {
  const architectures: readonly Architecture[] = ['x86_64', 'arm64'];
  return architectures.flatMap((architecture) =>
    [`aws-k8s-${minor}`, `aws-k8s-${minor}-nvidia`].map((variant): ImageLine => {
      const path = (version: string) =>
        `/aws/service/bottlerocket/${variant}/${architecture}/${version}/image_id`;
      const label = architecture === 'arm64' ? 'aarch64' : architecture;
      return {
        system: 'bottlerocket',
        architecture,
        ownerId: bottlerocketOwner,
        disks: { '/dev/xvda': 2, '/dev/xvdb': 20 },
        name: (version) => `bottlerocket-${variant}-${label}-v${version}-${hashText(version).toString(16)}`,
        latest: path('latest'),
        pinned: path,
      };
    }),
  );
}

function windows(minor: string): readonly ImageLine[] {
  return ['2019', '2022', '2025'].map((year) => {
    const prefix = `Windows_Server-${year}-English-Core-EKS_Optimized-${minor}`;
    return {
      system: 'windows',
      architecture: 'x86_64',
      ownerId: windowsOwner,
      disks: { '/dev/sda1': 50 },
      name: (version) => `${prefix}-${version.slice(1, 5)}.${version.slice(5, 7)}.${version.slice(7)}`,
      latest: `/aws/service/ami-windows-latest/${prefix}/image_id`,
    };
  });
}
