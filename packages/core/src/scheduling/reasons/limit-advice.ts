import { evadedLimits, type NodeTemplate, type TemplateType } from '../instance-types/node-template.ts';

type LimitedTemplate = Pick<NodeTemplate, 'name' | 'remaining'>;

/**
 * What helps where the limits of a pool exclude types. Types with a part of a limited device are excluded however high
 * the limit is, so that only its removal helps.
 */
export function limitAdvice({ name, remaining }: LimitedTemplate, excluded: readonly TemplateType[]): string {
  const evadedBy = ({ type }: TemplateType) => evadedLimits(type, remaining ?? new Map<string, number>());
  const isRaisable = excluded.length === 0 || excluded.some((type) => evadedBy(type).length === 0);
  if (isRaisable) return `raise the limits of nodepool ${name}`;
  const limits = [...new Set(excluded.flatMap(evadedBy))].join(' and ');
  return `remove the limit on ${limits} of nodepool ${name}, which cannot count the part of a device that instance type ${typeNames(excluded)} has, or allow types with whole devices`;
}

function typeNames(types: readonly TemplateType[]): string {
  const [first, ...others] = types.map(({ type }) => type.name);
  return others.length === 0 ? `${first}` : `${first}, like ${others.length} more,`;
}
