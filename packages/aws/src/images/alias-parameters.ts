import { labelKeys } from '@karpenter/core/api';
import type { RequirementItem } from '@karpenter/core/requirements';
import { amiFamilies } from '../ami-family/index.ts';
import { awsLabelKeys } from '../names/index.ts';
import { aliasFamilies } from '../node-class/index.ts';

type AliasFamily = keyof typeof aliasFamilies;

/** A public SSM parameter that holds an AMI id, with the requirements of the nodes that the AMI is for. */
export interface AliasParameter {
  readonly name: string;
  /** Whether the value of the parameter may change. */
  readonly mutable: boolean;
  /** The AMI appears in the status once for each of these. */
  readonly uses: readonly (readonly RequirementItem[])[];
}

/** A parsed `alias` term such as `al2023@latest`. */
export interface Alias {
  readonly family: AliasFamily;
  readonly version: string;
}

const without = (key: string): RequirementItem => ({ key, operator: 'DoesNotExist' });
const having = (key: string): RequirementItem => ({ key, operator: 'Exists' });
const uses = {
  standard: [without(awsLabelKeys.acceleratorCount), without(awsLabelKeys.gpuCount)],
  nvidia: [having(awsLabelKeys.gpuCount)],
  neuron: [having(awsLabelKeys.acceleratorCount)],
} as const;

/** Returns undefined for an unknown family or a malformed alias. */
export function parseAlias(text: string): Alias | undefined {
  // The CRD accepts a second `@`, on which Karpenter aborts; here the alias is malformed.
  const [family = '', version = '', ...rest] = text.split('@');
  const isKnown = (name: string): name is AliasFamily => Object.hasOwn(aliasFamilies, name);
  return isKnown(family) && version !== '' && rest.length === 0 ? { family, version } : undefined;
}

/**
 * Every name contains the Kubernetes version, so that an upgrade of the control plane drifts the nodes of an alias,
 * even of a pinned one.
 * @param k8s Kubernetes version of the cluster, such as `1.35`
 */
export function aliasParameters(alias: Alias, k8s: string): readonly AliasParameter[] {
  const { family, version } = alias;
  if (family === 'al2') return amazonLinux2(version, k8s);
  if (family === 'al2023') return amazonLinux2023(version, k8s);
  return family === 'bottlerocket' ? bottlerocket(version, k8s) : windows(family, k8s);
}

function amazonLinux2(version: string, k8s: string): readonly AliasParameter[] {
  const parameter = (folder: string, image: string, of: AliasParameter['uses']): AliasParameter => ({
    name: `/aws/service/eks/optimized-ami/${k8s}/${folder}/${pinned(version, `${image}-${k8s}-${version}`)}/image_id`,
    mutable: version === 'latest',
    uses: of,
  });
  return [
    parameter('amazon-linux-2', 'amazon-eks-node', [uses.standard]),
    parameter('amazon-linux-2-arm64', 'amazon-eks-arm64-node', [uses.standard]),
    // One image for both kinds of accelerator, but two entries: requirements of one entry must all hold.
    parameter('amazon-linux-2-gpu', 'amazon-eks-gpu-node', [uses.neuron, uses.nvidia]),
  ];
}

function amazonLinux2023(version: string, k8s: string): readonly AliasParameter[] {
  const variants = [
    ['x86_64', 'standard'],
    ['x86_64', 'nvidia'],
    ['x86_64', 'neuron'],
    ['arm64', 'standard'],
    ['arm64', 'nvidia'],
  ] as const;
  return variants.map(([arch, variant]) => {
    const image = `amazon-eks-node-al2023-${arch}-${variant}-${k8s}-${version}`;
    return {
      name: `/aws/service/eks/optimized-ami/${k8s}/amazon-linux-2023/${arch}/${variant}/${pinned(version, image)}/image_id`,
      mutable: version === 'latest',
      uses: [uses[variant]],
    };
  });
}

function bottlerocket(version: string, k8s: string): readonly AliasParameter[] {
  const parameter = (variant: string, arch: string, of: AliasParameter['uses']): AliasParameter => ({
    // Aliases may write `v1.20.3`; the parameters have no `v`.
    name: `/aws/service/bottlerocket/aws-k8s-${k8s}${variant}/${arch}/${version.replace(/^v/, '')}/image_id`,
    mutable: version === 'latest',
    uses: of,
  });
  return [
    parameter('', 'x86_64', [uses.standard, uses.neuron]),
    parameter('', 'arm64', [uses.standard]),
    parameter('-nvidia', 'x86_64', [uses.nvidia]),
    parameter('-nvidia', 'arm64', [uses.nvidia]),
  ];
}

/** Windows parameters have no versions: AWS publishes the latest AMI only. */
function windows(family: AliasFamily, k8s: string): readonly AliasParameter[] {
  const { windowsBuild = '' } = amiFamilies[aliasFamilies[family]];
  const year = family.slice('windows'.length);
  return [
    {
      name: `/aws/service/ami-windows-latest/Windows_Server-${year}-English-Core-EKS_Optimized-${k8s}/image_id`,
      mutable: true,
      uses: [
        [
          { key: labelKeys.operatingSystem, operator: 'In', values: ['windows'] },
          { key: labelKeys.windowsBuild, operator: 'In', values: [windowsBuild] },
        ],
      ],
    },
  ];
}

function pinned(version: string, image: string): string {
  return version === 'latest' ? 'recommended' : image;
}

/** EKS publishes no AL2 AMIs from 1.33 on, and Windows Server 2025 ones only from 1.35 on. */
const lastAl2Minor = 32;
const firstWindows2025Minor = 35;

/** Returns why EKS has no AMIs of the family for the cluster's version; undefined if it has. */
export function unsupportedAlias({ family }: Alias, k8s: string): string | undefined {
  const minor = Number(k8s.split('.')[1] ?? 0);
  if (family === 'al2' && minor > lastAl2Minor) {
    return 'getting AMI queries, AL2 aliases are no longer supported on EKS 1.33+ (see https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions-standard.html#kubernetes-1-33)';
  }
  if (family === 'windows2025' && minor < firstWindows2025Minor) {
    return `getting AMI queries, Windows Server 2025 requires EKS version 1.35 or higher, current version: ${k8s}`;
  }
  return undefined;
}
