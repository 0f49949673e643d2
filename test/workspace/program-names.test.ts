import { describe, expect, it } from 'vitest';

const module = new URL('../../scripts/program-names.mjs', import.meta.url).href;
const { unresolvedNames }: { unresolvedNames(output: string): readonly string[] } = await import(module);

const renamed = [
  `bench/a.mjs(5,3): error TS2305: Module '"@karpenter/core/disruption"' has no exported member 'CandidateJudge'.`,
  `bench/a.mjs(5,3): error TS2724: '"./b.mjs"' has no exported member named 'tabel'. Did you mean 'table'?`,
  `bench/b/c.mjs(1,23): error TS2307: Cannot find module './gone.mjs' or its corresponding type declarations.`,
  `scripts/d.mjs(7,9): error TS2339: Property 'older' does not exist on type 'Simulation'.`,
  `scripts/d.mjs(8,9): error TS2353: Object literal may only specify known properties, and 'judge' does not exist in type 'Context'.`,
];

describe('the check of names in scripts and benchmarks', () => {
  it('reports modules, exports, members and options that do not exist', () => {
    expect(unresolvedNames(renamed.join('\n'))).toEqual(renamed);
  });

  it('leaves out errors about types, and the lines that explain them', () => {
    const output = [
      `bench/a.mjs(59,5): error TS2741: Property 'x' is missing in type '{}' but required in type 'Meters'.`,
      `  Property 'metadata' is optional in type 'Node', error TS2339: as text`,
      '',
    ].join('\n');
    expect(unresolvedNames(output)).toEqual([]);
  });
});
