import { labelAliases, labelKeys, wellKnownLabels } from './labels.ts';

/** Which labels users may set in NodePools and pods; providers add theirs with {@link extendLabelPolicy}. */
export interface LabelPolicy {
  /** Always allowed: instance types define them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains reserved by the product, including subdomains. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restrictedLabels: ReadonlySet<string>;
  /** Deprecated keys and the keys they are read as. */
  readonly aliases: ReadonlyMap<string, string>;
}

export const coreLabelPolicy: LabelPolicy = {
  wellKnown: wellKnownLabels,
  restrictedDomains: new Set(['karpenter.sh']),
  restrictedLabels: new Set([labelKeys.hostname]),
  aliases: labelAliases,
};

/** The policy of a provider: its labels and domains in addition to the base. */
export function extendLabelPolicy(base: LabelPolicy, extra: Partial<LabelPolicy>): LabelPolicy {
  return {
    wellKnown: new Set([...base.wellKnown, ...(extra.wellKnown ?? [])]),
    restrictedDomains: new Set([...base.restrictedDomains, ...(extra.restrictedDomains ?? [])]),
    restrictedLabels: new Set([...base.restrictedLabels, ...(extra.restrictedLabels ?? [])]),
    aliases: new Map([...base.aliases, ...(extra.aliases ?? [])]),
  };
}

/**
 * Whether users may not set a label. The CRD rules compare the end of the prefix; this restricts a domain and
 * its real subdomains only, so `mykarpenter.sh/x` is allowed here.
 */
export function isRestrictedLabel(key: string, policy: LabelPolicy): boolean {
  if (policy.wellKnown.has(key)) return false;
  return policy.restrictedLabels.has(key) || isInDomains(labelDomain(key), policy.restrictedDomains);
}

/** Karpenter's message. */
export function restrictedLabelError(key: string, policy: LabelPolicy): string {
  return (
    `using label ${key} is not allowed as it might interfere with the internal provisioning logic; ` +
    `specify a well known label: ${list(policy.wellKnown)}, ` +
    `or a custom label that does not use a restricted domain: ${list(policy.restrictedDomains)}`
  );
}

/** The normalized key of a label. */
export function normalizeLabel(key: string, policy: LabelPolicy): string {
  return policy.aliases.get(key) ?? key;
}

function labelDomain(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}

function isInDomains(domain: string, restricted: ReadonlySet<string>): boolean {
  return [...restricted].some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
}

function list(texts: ReadonlySet<string>): string {
  return `[${[...texts].sort().join(' ')}]`;
}
