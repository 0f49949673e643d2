import type { AmiFamilyName } from '../../ami-family/index.ts';
import { taintOf } from './autoscaler-tags.ts';
import type { GroupTaint } from './source-group.ts';

/** Kubelet settings in the bootstrap part of user data. */
export interface BootstrapFlags {
  /** Derived from the format of the user data; undefined if the format does not show it. */
  readonly family?: AmiFamilyName;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly GroupTaint[];
  readonly maxPods?: number;
}

/** Finds kubelet flags anywhere in the text: arguments of AL2's bootstrap.sh, AL2023 NodeConfigs and custom scripts. */
export function bootstrapFlags(userData: string): BootstrapFlags {
  const text = Buffer.from(userData, 'base64').toString('utf8');
  const maxPods = /--max-pods[= ](\d+)/.exec(text)?.[1] ?? /maxPods:\s*(\d+)/.exec(text)?.[1];
  const family = familyOf(text);
  return {
    ...(family !== undefined && { family }),
    labels: Object.fromEntries(flagItems(text, 'node-labels').flatMap(pairOf)),
    taints: flagItems(text, 'register-with-taints').flatMap((item) => {
      const [[key, rest] = ['', '']] = pairOf(item.includes('=') ? item : item.replace(':', '=:'));
      return taintOf(key, rest);
    }),
    ...(maxPods !== undefined && { maxPods: Number(maxPods) }),
  };
}

function familyOf(text: string): AmiFamilyName | undefined {
  if (text.includes('node.eks.aws')) return 'AL2023';
  if (text.includes('/etc/eks/bootstrap.sh')) return 'AL2';
  return text.includes('[settings.kubernetes') ? 'Bottlerocket' : undefined;
}

function flagItems(text: string, flag: string): readonly string[] {
  const found = [...text.matchAll(new RegExp(`--${flag}[= ]([^\\s'"\`]+)`, 'g'))];
  return found.flatMap(([, list = '']) => list.split(',')).filter((item) => item !== '');
}

function pairOf(item: string): readonly (readonly [string, string])[] {
  const split = item.indexOf('=');
  return split === -1 ? [] : [[item.slice(0, split), item.slice(split + 1)]];
}
