import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeVersion, provideOtherNode } from '../scripts/other-node.mjs';
import { table } from './harness/compare.mjs';
import { priceBound } from './scenarios/price-bound.mjs';
import { generator, writeScenarios } from './scenarios/scenario-files.mjs';

// The public scenarios with `karpenter simulate`: cold, each in a process of its own, as users run it, and warm,
// several times in one process, as the controllers plan. First with the Node of the images, which the controllers run
// on, then with the Node that runs the benchmark. Their prices are compared with a bound that no plan undercuts.

const tries = 3;
/**
 * Plans in one process, as many as it takes until the code is optimised: a plan of few pods runs little of it, so that
 * more are needed.
 */
const warmPlans = (pods) => (pods <= 2000 ? 40 : 8);

/** The results of Karpenter 1.14.1's own scheduler on the same files on a 2-core machine. */
const recorded = {
  'same-1000': { seconds: 1.03, nodes: 3, price: 19.06 },
  'same-50000': { seconds: 298, nodes: 131, price: 832.1 },
  'services-1000': { seconds: 1.46, nodes: 8, price: 54.39 },
  'services-5000': { seconds: 18.5, nodes: 27, price: 219.49 },
  'services-20000': { seconds: 183, nodes: 86, price: 770.82 },
  'batch-2000': { seconds: 3.6, nodes: 61, price: 289.01 },
  'diverse-1000': { seconds: 4.05, nodes: 200, price: 353.46 },
  'diverse-5000': { seconds: 25.2, nodes: 1000, price: 1796.27 },
  'diverse-20000': { seconds: 148, nodes: 4000, price: 7128.42 },
  'prefs-1000': { seconds: 11.3, nodes: 1000, price: 629.5 },
  'pools-3000': {},
};

const runner = "import { main } from '@karpenter/cli'; process.exitCode = await main(process.argv.slice(1));";

/** Fails with the error output of the program. */
function output(node, args) {
  const result = spawnSync(node, args, {
    cwd: fileURLToPath(new URL('../packages/cli', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (result.status !== 0) throw new Error(result.stderr || String(result.error));
  return result.stdout;
}

/**
 * The best of several runs of each Node, cold and warm: other load on the machine can only slow one down. All other
 * results must be equal.
 */
function plan(nodes, file) {
  const byNode = nodes.map((node) => {
    const cold = Array.from({ length: tries }, () => simulated(node, [file])).flat();
    const warm = simulated(
      node,
      Array.from({ length: warmPlans(cold[0].pods) }, () => file),
    );
    return { cold, warm };
  });
  const runs = byNode.flatMap(({ cold, warm }) => [...cold, ...warm]);
  const outcomes = new Set(runs.map(({ seconds, ...outcome }) => JSON.stringify(outcome)));
  if (outcomes.size > 1) throw new Error(`${basename(file)} was planned in ${outcomes.size} different ways`);
  return byNode.map(({ cold, warm }) => ({
    ...runs[0],
    seconds: fastest(cold),
    warmSeconds: fastest(warm),
  }));
}

const fastest = (runs) => Math.min(...runs.map(({ seconds }) => seconds));

/** The results of one process that plans the files one after another. */
function simulated(node, files) {
  const inputs = files.flatMap((file) => ['-f', file]);
  const lines = output(node, ['--input-type=module', '-e', runner, 'simulate', ...inputs, '-o', 'json']);
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** For every Node the plans of all scenarios. */
async function planAll(nodes) {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-scenarios-'));
  try {
    await writeScenarios(directory);
    const names = inOrder(readdirSync(directory).map((file) => basename(file, '.json')));
    const files = names.map((name) => join(directory, `${name}.json`));
    const plans = files.map((file) => plan(nodes, file));
    const bounds = files.map((file) => priceBound(JSON.parse(readFileSync(file, 'utf8'))));
    return nodes.map((_, index) =>
      names.map((name, at) => ({ name, bound: bounds[at], ...plans[at][index] })),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** In recorded order; scenarios without a record come last. */
function inOrder(names) {
  const known = Object.keys(recorded).filter((name) => names.includes(name));
  return [...known, ...names.filter((name) => !known.includes(name)).sort()];
}

const titlesFor = (version) => [
  `Node ${version}`,
  'cold s',
  'warm s',
  'Karpenter s',
  'faster cold',
  'faster warm',
  '$/hour',
  'nodes',
  'Karpenter $',
  '÷ Karpenter',
  'bound $',
  '÷ bound',
  'Karpenter nodes',
  'unplaced',
];

function reportRow({ name, seconds, warmSeconds, hourlyPrice, nodes, failed, bound }) {
  const theirs = recorded[name] ?? {};
  return [
    name,
    seconds.toFixed(3),
    warmSeconds.toFixed(3),
    text(theirs.seconds),
    ratio(theirs.seconds, seconds, 0),
    ratio(theirs.seconds, warmSeconds, 0),
    hourlyPrice.toFixed(2),
    String(nodes),
    text(theirs.price?.toFixed(2)),
    ratio(hourlyPrice, theirs.price),
    text(bound?.toFixed(2)),
    ratio(hourlyPrice, bound),
    text(theirs.nodes),
    String(failed),
  ];
}

const text = (value) => (value === undefined ? '-' : String(value));
const ratio = (value, base, digits = 3) =>
  value === undefined || base === undefined ? '-' : `${(value / base).toFixed(digits)}×`;

export async function run() {
  if (!existsSync(generator)) return { skipped: `there is no ${generator} to make scenarios with` };
  const versions = [...new Set([nodeVersion, process.versions.node])];
  const nodes = versions.map((_, index) => (index === 0 ? provideOtherNode() : process.execPath));
  const all = await planAll(await Promise.all(nodes));
  const [plans] = all;
  const exact = plans.flatMap(({ name, hourlyPrice, nodes, failed }) => [
    [`${name} $/hour`, hourlyPrice],
    [`${name} nodes`, nodes],
    [`${name} pods unplaced`, failed],
  ]);
  return {
    exact: Object.fromEntries(exact),
    perSecond: Object.fromEntries(
      plans.flatMap(({ name, pods, seconds, warmSeconds }) => [
        [`${name} pods`, pods / seconds],
        [`${name} pods, warm`, pods / warmSeconds],
      ]),
    ),
    bytes: {},
    report: versions
      .map((version, index) => table([titlesFor(version), ...all[index].map(reportRow)]))
      .join('\n\n'),
  };
}
