import type { ValidationRule } from '../../schema/index.ts';
import { labelKeys } from '../names/index.ts';

/** A label domain reserved by the product, except for the labels that users may select on. */
export interface ReservedDomain {
  readonly domain: string;
  readonly selectable: readonly string[];
}

export const karpenterDomain: ReservedDomain = {
  domain: 'karpenter.sh',
  selectable: [labelKeys.capacityType, labelKeys.nodePool],
};

/** Rules for one label key; the schema node is the key itself. */
export function labelKeyRules(domains: readonly ReservedDomain[]): readonly ValidationRule[] {
  return [...domains.map((domain) => domainRule('self', domain)), forbidLabel(labelKeys.hostname)];
}

/** Like {@link labelKeyRules}, for objects of a NodePool, which sets its own label. */
export function nodePoolLabelKeyRules(domains: readonly ReservedDomain[]): readonly ValidationRule[] {
  return [...labelKeyRules(domains), forbidLabel(labelKeys.nodePool)];
}

/** The same rules for a map of labels; the schema node is the map. */
export function labelMapRules(domains: readonly ReservedDomain[]): readonly ValidationRule[] {
  return [
    ...domains.map((domain) => everyKey(domainRule('key', domain))),
    everyKey(forbidLabel(labelKeys.nodePool, 'key')),
    everyKey(forbidLabel(labelKeys.hostname, 'key')),
  ];
}

/** Without a slash the whole key counts as the domain. */
function domainRule(variable: string, { domain, selectable }: ReservedDomain): ValidationRule {
  const allowed = selectable.map((label) => `"${label}"`).join(', ');
  return {
    rule: `${variable} in [${allowed}] || !${variable}.find("^[^/]+").endsWith("${domain}")`,
    message: `label domain "${domain}" is restricted`,
  };
}

function forbidLabel(label: string, variable = 'self'): ValidationRule {
  return { rule: `${variable} != "${label}"`, message: `label "${label}" is restricted` };
}

function everyKey({ rule, ...rest }: ValidationRule): ValidationRule {
  return { rule: `self.all(key, ${rule})`, ...rest };
}
