import type { MappedGroup, MigrationFinding } from '@karpenter/aws/migration';
import { stringify } from 'yaml';
import { admittedEc2NodeClass, admittedNodePool } from '../simulate/index.ts';

/** Refuses what an API server would refuse, so that nothing is applied half. */
export function checkManifests(mapped: readonly MappedGroup[]): void {
  for (const { nodeClass, nodePools, group } of mapped) {
    const origin = { file: `the manifests of group ${group.name}` };
    admittedEc2NodeClass(plainObject(nodeClass), origin);
    for (const pool of nodePools) admittedNodePool(plainObject(pool), origin);
  }
}

function plainObject(object: object): Parameters<typeof admittedNodePool>[0] {
  return JSON.parse(JSON.stringify(object)) as Parameters<typeof admittedNodePool>[0];
}

/** The manifests as one stream, each group with comments about what did not map. */
export function migrationManifests(mapped: readonly MappedGroup[]): string {
  const documents = mapped.flatMap(({ nodeClass, nodePools, findings, group }) => [
    `${comments(group.name, findings)}${yamlOf(nodeClass)}`,
    ...nodePools.map(yamlOf),
  ]);
  return documents.map((document) => `---\n${document}`).join('');
}

function yamlOf(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** A newline in a name or a tag must not end the comment. */
function comments(name: string, findings: readonly MigrationFinding[]): string {
  const open = findings.filter(({ verdict }) => verdict === 'approximate' || verdict === 'unmapped');
  const lines = open.map(({ setting, outcome }) => `#   ${setting}: ${outcome}`.replace(/\s*\n\s*/g, ' '));
  return [`# Group ${name}`.replace(/\s*\n\s*/g, ' '), ...lines].map((line) => `${line}\n`).join('');
}
