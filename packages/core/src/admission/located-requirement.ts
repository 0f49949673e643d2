import type { RequirementItem } from '../requirements/index.ts';

/** A requirement and the path of the field that it comes from. */
export interface LocatedRequirement {
  readonly field: string;
  readonly item: RequirementItem;
}

export function locatedItems(items: readonly RequirementItem[], path: string): readonly LocatedRequirement[] {
  return items.map((item, index) => ({ field: `${path}.requirements[${index}]`, item }));
}

/** Labels of a template are requirements on its nodes like any other. */
export function locatedLabels(
  labels: Readonly<Record<string, string>> = {},
  path: string,
): readonly LocatedRequirement[] {
  return Object.entries(labels).map(([key, value]) => ({
    field: `${path}.labels[${key}]`,
    item: { key, operator: 'In', values: [value] },
  }));
}

const maxListedValues = 5;

/** The requirement as a user wrote it: `kubernetes.io/arch In [arm64]`. */
export function itemText({ key, operator, values = [] }: RequirementItem): string {
  const others = values.length - maxListedValues;
  const listed = values.slice(0, maxListedValues).join(' ');
  const list = others > 0 ? `${listed} and ${others} others` : listed;
  return values.length === 0 ? `${key} ${operator}` : `${key} ${operator} [${list}]`;
}
