import type { LogFields } from '@karpenter/core/ports';

type Value = LogFields[string];

// Long enough for every message of ours and for an error with its cause. Users control more: a quantity may
// have 100,000 digits, and EC2 repeats one sentence for each of 180 offerings.
const longestText = 2_048;
const longestList = 100;

/** The fields with long texts and lists cut; the end says how much is missing. */
export function cutValues(fields: LogFields): LogFields {
  const names = Object.keys(fields);
  const cut = names.slice(0, longestList).map((name) => [cutText(name), cutValue(fields[name])]);
  const rest = names.length - cut.length;
  return Object.fromEntries(rest > 0 ? [...cut, ['cut', `${rest} more fields`]] : cut);
}

export function cutText(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}… (${text.length - longestText} characters cut)`;
}

function cutValue(value: Value): Value {
  if (typeof value === 'string') return cutText(value);
  if (isList(value)) return cutList(value);
  return typeof value === 'object' ? cutValues(value) : value;
}

function cutList(list: readonly Value[]): Value {
  const cut = list.slice(0, longestList).map((each) => cutValue(each) ?? '');
  const rest = list.length - cut.length;
  return rest > 0 ? [...cut, `… (${rest} more cut)`] : cut;
}

function isList(value: Value): value is readonly NonNullable<Value>[] {
  return Array.isArray(value);
}
