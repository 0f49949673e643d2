import { type Labels, labelValueProblems, qualifiedNameProblems } from '@karpenter/core/values';
import { StatusError } from '../status/status-error.ts';

export type LabelTest = (labels: Labels) => boolean;

const everything: LabelTest = () => true;

/**
 * Compiles the `labelSelector` query parameter, such as `a=b, c in (d, e), !f, g > 5`; throws 400 for other
 * text.
 */
export function parseLabelSelector(text: string): LabelTest {
  if (text.trim() === '') return everything;
  const tests = splitOutsideParentheses(text).map((part) => parseRequirement(part.trim()));
  return (labels) => tests.every((test) => test(labels));
}

function splitOutsideParentheses(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}

const setForm = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const comparisonForm = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*([^\s=!<>]*)$/;
const existenceForm = /^(!?)\s*([^\s=!<>(),]+)$/;

function parseRequirement(text: string): LabelTest {
  const set = setForm.exec(text);
  if (set) return setTest(keyOf(set[1], text), set[2] === 'in', valuesOf(set[3], text));
  const comparison = comparisonForm.exec(text);
  if (comparison)
    return comparisonTest({
      key: keyOf(comparison[1], text),
      operator: comparison[2],
      value: comparison[3] ?? '',
      text,
    });
  const existence = existenceForm.exec(text);
  if (existence) return existenceTest(keyOf(existence[2], text), existence[1] === '');
  throw invalidRequirement(text);
}

function keyOf(key: string | undefined, text: string): string {
  if (key === undefined || qualifiedNameProblems(key).length > 0) throw invalidRequirement(text);
  return key;
}

function valuesOf(list: string | undefined, text: string): ReadonlySet<string> {
  const values = (list ?? '').split(',').map((value) => value.trim());
  if (values.some((value) => labelValueProblems(value).length > 0)) throw invalidRequirement(text);
  return new Set(values);
}

/** An absent label matches `notin` and `!=` whatever the values are. */
function setTest(key: string, isIn: boolean, values: ReadonlySet<string>): LabelTest {
  return (labels) => {
    const value = labelIn(labels, key);
    return (value !== undefined && values.has(value)) === isIn;
  };
}

interface Comparison {
  readonly key: string;
  readonly operator: string | undefined;
  readonly value: string;
  readonly text: string;
}

function comparisonTest({ key, operator, value, text }: Comparison): LabelTest {
  if (operator === '>' || operator === '<') return numberTest({ key, operator, value, text });
  return setTest(key, operator !== '!=', valuesOf(value, text));
}

function numberTest({ key, operator, value, text }: Comparison): LabelTest {
  if (!/^-?\d+$/.test(value)) throw invalidRequirement(text);
  const limit = BigInt(value);
  return (labels) => {
    const actual = labelIn(labels, key);
    if (actual === undefined || !/^-?\d+$/.test(actual)) return false;
    return operator === '>' ? BigInt(actual) > limit : BigInt(actual) < limit;
  };
}

function existenceTest(key: string, present: boolean): LabelTest {
  return (labels) => (labelIn(labels, key) !== undefined) === present;
}

/** `hasOwn`, because a client may send names of Object.prototype such as `constructor`. */
function labelIn(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function invalidRequirement(text: string): StatusError {
  return new StatusError(400, 'BadRequest', `unable to parse requirement: ${text}`);
}
