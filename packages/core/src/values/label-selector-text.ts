import { invalidValue } from '../errors/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';

const setPattern = /^(\S+)\s+(in|notin)\s+\(([^()]*)\)$/;
const equalityPattern = /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/;
const presencePattern = /^(!?)\s*([^=!\s()]+)$/;

/**
 * Reads a selector as kubectl's `--selector` takes it: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Keys and values
 * are checked by `compileLabelSelector`.
 */
export function parseLabelSelector(text: string, field = 'labelSelector'): LabelSelector {
  const terms = text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  return { matchExpressions: terms.map((term) => requirementOf(term, text, field)) };
}

function requirementOf(term: string, text: string, field: string): LabelSelectorRequirement {
  const set = setPattern.exec(term);
  if (set !== null) return inSet(set);
  const equality = equalityPattern.exec(term);
  if (equality !== null) {
    const [, key = '', operator, value = ''] = equality;
    return { key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value] };
  }
  const presence = presencePattern.exec(term);
  if (presence !== null) {
    const [, negation, key = ''] = presence;
    return { key, operator: negation === '!' ? 'DoesNotExist' : 'Exists' };
  }
  throw invalidValue({
    code: 'invalid-selector',
    field,
    value: text,
    expected: 'a label selector',
    advice: 'write it as for kubectl: a=b, a!=b, a in (b,c), a notin (b,c), a or !a, separated by commas',
  });
}

function inSet([, key = '', operator, values = '']: RegExpExecArray): LabelSelectorRequirement {
  return {
    key,
    operator: operator === 'in' ? 'In' : 'NotIn',
    values: values.split(',').map((value) => value.trim()),
  };
}
