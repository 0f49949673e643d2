import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { scenarioSimulation } from '@karpenter/cli';
import { plan } from '@karpenter/core/scheduling';
import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';

type Results = Readonly<Record<string, number>>;

const benchFile = (name: string) => new URL(`../../../bench/${name}`, import.meta.url);

const { generator, writeScenarios }: { generator: string; writeScenarios(directory: string): Promise<void> } =
  await import(benchFile('scenarios/scenario-files.mjs').href);
const disruption: { run(): { exact: Results } } = await import(benchFile('disruption.mjs').href);

const baseline: Readonly<Record<string, { exact: Results }>> = JSON.parse(
  readFileSync(benchFile('baseline.json'), 'utf8'),
);
const outdated = (name: string) =>
  `if that is meant, save the new numbers with npm run bench -- --only ${name} --save`;

async function scenarioResults(): Promise<Results> {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-baseline-'));
  try {
    await writeScenarios(directory);
    return Object.assign({}, ...readdirSync(directory).map((file) => resultsOf(join(directory, file))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function resultsOf(file: string): Results {
  const scenario: JsonObject = JSON.parse(readFileSync(file, 'utf8'));
  const { snapshot, options } = scenarioSimulation(
    scenario,
    { file, document: 1 },
    { policies: {}, clock: { now: () => 0 } },
  );
  const { newNodes, rejections, unevaluated } = plan(snapshot, options);
  const name = basename(file, '.json');
  return {
    [`${name} $/hour`]: Number(newNodes.reduce((sum, { price }) => sum + price, 0).toFixed(6)),
    [`${name} nodes`]: newNodes.length,
    [`${name} pods unplaced`]: rejections.length + unevaluated.length,
  };
}

describe('the baseline of the benchmarks', () => {
  it('has the savings of the consolidations that a search finds', () => {
    expect(disruption.run().exact, outdated('disruption')).toEqual(baseline['disruption']?.exact);
  });

  it.skipIf(!existsSync(generator) && process.env['KARPENTER_TEST'] !== 'all')(
    'has the prices and nodes of the scenarios',
    async () => {
      expect(await scenarioResults(), outdated('scenarios')).toEqual(baseline['scenarios']?.exact);
    },
  );
});
