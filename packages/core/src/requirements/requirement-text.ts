import type { Requirement } from './requirement.ts';

const maxListedValues = 5;

/** The text for events, logs and conditions: `key Op [a b] >=1 <=9 minValues 2`. */
export function requirementText(requirement: Requirement): string {
  const { key, operator, gte, lte, minValues } = requirement;
  let text = `${key.name} ${operator}`;
  if (!requirement.bits.isEmpty) text += ` ${listText(requirement.values())}`;
  if (gte !== undefined) text += ` >=${gte}`;
  if (lte !== undefined) text += ` <=${lte}`;
  if (minValues !== undefined) text += ` minValues ${minValues}`;
  return text;
}

function listText(values: readonly string[]): string {
  const others = values.length - maxListedValues;
  if (others <= 0) return `[${values.join(' ')}]`;
  return `[${values.slice(0, maxListedValues).join(' ')} and ${others} others]`;
}
