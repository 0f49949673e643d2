import { hashText } from '../../objects/chance.ts';
import type { Architecture, ImageSystem } from './image.ts';

/** One series of images that AWS publishes, of which each release is an image. */
export interface ImageLine {
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

const eksOwner = '602401143452';
const bottlerocketOwner = '092701018921';
const windowsOwner = '801119661308';
const optimized = '/aws/service/eks/optimized-ami';

/** All series for a minor version of Kubernetes. */
export function imageLines(minor: string): readonly ImageLine[] {
  return [...amazonLinux2(minor), ...amazonLinux2023(minor), ...bottlerocket(minor), ...windows(minor)];
}

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
