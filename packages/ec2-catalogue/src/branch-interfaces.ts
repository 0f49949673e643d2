import { shapes } from './expansion/shapes.ts';
import * as facts from './facts/branch-interfaces.ts';
import { familyTable } from './notation/family-table.ts';
import { ladder, rung } from './notation/ladder.ts';

const counts = familyTable(facts.branchInterfaceCounts, ladder);
const without: ReadonlySet<string> = new Set(facts.withoutBranchInterfaces.split(' '));
const others = ladder(facts.otherBranchInterfaces);

/**
 * Returns the branch interfaces of a type (`vpc.amazonaws.com/pod-eni`); 0 if it supports none or is unknown.
 */
export function branchInterfaces(instanceType: string): number {
  const shape = shapes().get(instanceType);
  if (shape === undefined || without.has(shape.family)) return 0;
  const own = counts(shape.family);
  return (own && rung(own, shape.size)) ?? rung(others, shape.size) ?? 0;
}
