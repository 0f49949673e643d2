import type { FieldError } from '@karpenter/core/schema';
import * as values from '@karpenter/core/values';
import { remembered } from '../../remembered.ts';
import { problemsAt } from './field-errors.ts';

// Labels, annotations, resources and references, which occur in many kinds.
export const labelValueProblems = remembered(values.labelValueProblems);
export const qualifiedNameProblems = remembered(values.qualifiedNameProblems);
const subdomainProblems = remembered(values.subdomainProblems);

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const wholeLabel = new RegExp(`^${labelPattern}$`);
const labelRule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`;
const maxLabelBytes = 63;

/** Why a string is not a DNS label (RFC 1123). */
export function labelNameProblems(text: string): readonly string[] {
  if (text.includes('.')) return ['must not contain dots', ...lengthProblems(text)];
  return strictLabelProblems(text);
}

/** The same without the separate message about dots. */
function strictLabelProblems(text: string): readonly string[] {
  return [...lengthProblems(text), ...(wholeLabel.test(text) ? [] : [labelRule])];
}

function lengthProblems(text: string): readonly string[] {
  return text.length > maxLabelBytes ? [`must be no more than ${maxLabelBytes} bytes`] : [];
}

/** Names of RBAC objects must only be valid path segments. */
export function pathSegmentProblems(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%']
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
}

export function cronJobNameProblems(text: string): readonly string[] {
  const longest = 52;
  const tooLong = text.length > longest ? [`must be no more than ${longest} characters`] : [];
  return [...subdomainProblems(text), ...tooLong];
}

export const strictLabel = (field: string, text: string) =>
  problemsAt(field, text, strictLabelProblems(text));
export const subdomain = (field: string, text: string) => problemsAt(field, text, subdomainProblems(text));
export const qualifiedName = (field: string, text: string) =>
  problemsAt(field, text, qualifiedNameProblems(text));

/** A map of labels; errors of keys and values are both reported at the map. */
export function labelMap(field: string, labels: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...problemsAt(field, key, qualifiedNameProblems(key)),
    ...problemsAt(field, value, labelValueProblems(value)),
  ]);
}

const configKey = /^[-._a-zA-Z0-9]+$/;
const configKeyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function configKeyProblems(key: string): readonly string[] {
  const longest = 253;
  if (key.length > longest) return [`must be no more than ${longest} characters`];
  if (key === '.' || key === '..') return [`must not be '${key}'`];
  if (!configKey.test(key)) return [configKeyRule];
  return key.startsWith('..') ? ["must not start with '..'"] : [];
}
