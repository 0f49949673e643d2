import { labelKeys } from '@karpenter/core/api';
import type { CheckedCluster } from './cluster.ts';
import type { CheckedPodClass } from './pod-class.ts';

const ownDomain = 'karpenter.sh';

function isRestricted(key: string, wellKnown: ReadonlySet<string>): boolean {
  if (key === labelKeys.hostname) return true;
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isOwn = domain === ownDomain || domain.endsWith(`.${ownDomain}`);
  return isOwn && !wellKnown.has(key);
}

/** Pods that are never placed: they opt out, or request something unsupported. */
export function isIgnored(
  { spec, alternatives, preferred }: CheckedPodClass,
  { options }: CheckedCluster,
): boolean {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if ((spec.resourceClaims ?? []).length > 0) return true;
  if ((required?.nodeSelectorTerms ?? []).some(({ matchFields = [] }) => matchFields.length > 0)) return true;
  return [...alternatives, ...preferred].some((rules) =>
    [...rules].some(
      ([key, rule]) =>
        isRestricted(key, options.wellKnownLabels) ||
        (key === labelKeys.nodePool && !rule.complement && rule.values.size === 0),
    ),
  );
}
