import type { LogFields } from '@karpenter/core/ports';

type Value = LogFields[string];

// Enough for all our messages and for an error with its cause. Other input can be longer: a quantity may have
// 100,000 digits, and EC2 repeats one sentence for each of 180 offerings.
const maxTextLength = 2_048;
const maxListLength = 100;

/** The fields with long texts and lists cut; the end says how much is missing. */
export function cutValues(fields: LogFields): LogFields {
  const names = Object.keys(fields);
  const cut = names.slice(0, maxListLength).map((name) => [cutText(name), cutValue(fields[name])]);
  const rest = names.length - cut.length;
  return Object.fromEntries(rest > 0 ? [...cut, ['cut', `${rest} more fields`]] : cut);
}

export function cutText(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}… (${text.length - maxTextLength} characters cut)`;
}

function cutValue(value: Value): Value {
  if (typeof value === 'string') return cutText(value);
  if (isList(value)) return cutList(value);
  return typeof value === 'object' ? cutValues(value) : value;
}

function cutList(list: readonly Value[]): Value {
  const cut = list.slice(0, maxListLength).map((each) => cutValue(each) ?? '');
  const rest = list.length - cut.length;
  return rest > 0 ? [...cut, `… (${rest} more cut)`] : cut;
}

function isList(value: Value): value is readonly NonNullable<Value>[] {
  return Array.isArray(value);
}
