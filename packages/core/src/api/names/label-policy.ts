import { labelAliases, labelKeys, wellKnownLabels } from './labels.ts';

/** Which labels people may use in NodePools and pods; providers add theirs with {@link extendLabelPolicy}. */
export interface LabelPolicy {
  /** Always allowed: instance types carry them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains kept by the product, subdomains included. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restrictedLabels: ReadonlySet<string>;
  /** Keys that are read as another key. */
  readonly aliases: ReadonlyMap<string, string>;
}

export const coreLabelPolicy: LabelPolicy = {
  wellKnown: wellKnownLabels,
  restrictedDomains: new Set(['karpenter.sh']),
  restrictedLabels: new Set([labelKeys.hostname]),
  aliases: labelAliases,
};

export function extendLabelPolicy(base: LabelPolicy, extra: Partial<LabelPolicy>): LabelPolicy {
  return {
    wellKnown: new Set([...base.wellKnown, ...(extra.wellKnown ?? [])]),
    restrictedDomains: new Set([...base.restrictedDomains, ...(extra.restrictedDomains ?? [])]),
    restrictedLabels: new Set([...base.restrictedLabels, ...(extra.restrictedLabels ?? [])]),
    aliases: new Map([...base.aliases, ...(extra.aliases ?? [])]),
  };
}

/**
 * Whether people may not use a label. Unlike the rules in the CRDs, which look at how the prefix ends, this
 * restricts a domain and its real subdomains only: `mykarpenter.sh/x` is allowed here.
 */
export function isRestrictedLabel(key: string, policy: LabelPolicy): boolean {
  if (policy.wellKnown.has(key)) return false;
  return policy.restrictedLabels.has(key) || isInDomains(labelDomain(key), policy.restrictedDomains);
}

export function restrictedLabelError(key: string, policy: LabelPolicy): string {
  return (
    `using label ${key} is not allowed as it might interfere with the internal provisioning logic; ` +
    `specify a well known label: ${list(policy.wellKnown)}, ` +
    `or a custom label that does not use a restricted domain: ${list(policy.restrictedDomains)}`
  );
}

/** The key that a label is known by. */
export function normalizeLabel(key: string, policy: LabelPolicy): string {
  return policy.aliases.get(key) ?? key;
}

function labelDomain(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}

function isInDomains(domain: string, restricted: ReadonlySet<string>): boolean {
  return [...restricted].some((kept) => domain === kept || domain.endsWith(`.${kept}`));
}

function list(texts: ReadonlySet<string>): string {
  return `[${[...texts].sort().join(' ')}]`;
}
