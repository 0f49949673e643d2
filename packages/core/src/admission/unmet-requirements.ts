import type { FieldProblem } from '../provisioning/index.ts';
import type { Admission } from './admission.ts';
import { itemText, type LocatedRequirement } from './located-requirement.ts';
import type { TypeCatalogue, TypeMask } from './type-catalogue.ts';

/** The instance types that requirements are compared with. */
export interface KnownTypes {
  readonly catalogue: TypeCatalogue;
  /** Whose types they are, for messages: `EC2 in eu-west-1`. */
  readonly source: string;
}

interface Masked extends LocatedRequirement {
  readonly mask: TypeMask;
}

/**
 * Compares requirements with the instance types of the cloud: an error if no type meets all of them, and
 * warnings for values without effect and for minValues that the types cannot reach.
 */
export function unmetRequirements(located: readonly LocatedRequirement[], types: KnownTypes): Admission {
  const { catalogue } = types;
  // Nothing is certain while the types are unknown.
  if (catalogue.isEmpty) return { errors: [], warnings: [] };
  const masked = located
    .filter(({ item }) => catalogue.concerns(item))
    .map((each): Masked => ({ ...each, mask: catalogue.meeting(each.item) }));
  const conflict = smallestConflict(masked);
  if (conflict.length > 0) return { errors: [noType(conflict, types)], warnings: [] };
  return {
    errors: [],
    warnings: [
      ...masked.flatMap((each) => unknownValueWarning(each, types)),
      ...minValuesWarnings(masked, types),
    ],
  };
}

/** A part of the requirements that no type meets and of which none can be left out; empty if a type meets all. */
function smallestConflict(masked: readonly Masked[]): readonly Masked[] {
  if (isMet(masked)) return [];
  return masked.reduce((conflict, each) => {
    const others = conflict.filter((other) => other !== each);
    return isMet(others) ? conflict : others;
  }, masked);
}

function isMet(masked: readonly Masked[]): boolean {
  return masked.length === 0 || metByAll(masked).includes(true);
}

function metByAll(masked: readonly Masked[]): TypeMask {
  const [first, ...others] = masked;
  return (first?.mask ?? []).map((isMetByFirst, index) =>
    isMetByFirst ? others.every(({ mask }) => mask[index]) : false,
  );
}

function noType(conflict: readonly Masked[], { source }: KnownTypes): FieldProblem {
  const others = conflict.slice(0, -1).map(({ field, item }) => `${field} (${itemText(item)})`);
  const [{ field, item } = { field: 'spec', item: { key: '', operator: '' } }] = conflict.slice(-1);
  const together = others.length === 0 ? '' : ` together with ${others.join(' and ')}`;
  return {
    field,
    value: itemText(item),
    reason: `no instance type of ${source} meets it${together}; change the requirement, or no node can be launched`,
  };
}

const maxListedValues = 5;

function unknownValueWarning({ field, item }: Masked, { catalogue, source }: KnownTypes): readonly string[] {
  const unknown = catalogue.unknownValues(item);
  if (unknown.length === 0) return [];
  const listed = unknown.slice(0, maxListedValues).map((value) => JSON.stringify(value));
  const others = unknown.length - listed.length;
  const values = others > 0 ? `${listed.join(', ')} and ${others} others` : listed.join(', ');
  return [
    `${field}.values: no instance type of ${source} has ${values} as ${item.key}; such values have no effect`,
  ];
}

function minValuesWarnings(masked: readonly Masked[], { catalogue, source }: KnownTypes): readonly string[] {
  const mask = metByAll(masked);
  return masked.flatMap(({ field, item: { key, minValues = 0 } }) => {
    const variety = minValues === 0 ? 0 : catalogue.variety(key, mask);
    if (variety >= minValues) return [];
    return [
      `${field}.minValues: ${minValues} values of ${key} are required, but the instance types of ${source} that meet all requirements have ${variety}`,
    ];
  });
}
