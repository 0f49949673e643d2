// Runs the benchmarks of bench/*.mjs against the built packages and compares the results with the saved
// baseline.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { controllersOptions, settingsOf } from '../bench/controllers/settings.mjs';
import { devMemoryOptions, devMemorySettings } from '../bench/dev-memory/settings.mjs';
import { baselineOf, compare, table } from '../bench/harness/compare.mjs';
import { largeClusterOptions, largeClusterSettings } from '../bench/large-cluster/settings.mjs';
import { fail, prepare, root } from './prepare.mjs';

const takingLong = new Set(['controllers', 'dev-memory', 'large-cluster', 'slow-requests']);

/** Benches with options of their own; `read` throws one sentence on a value that cannot be used. */
const benchOptions = {
  controllers: { options: controllersOptions, read: settingsOf },
  'dev-memory': { options: devMemoryOptions, read: devMemorySettings },
  'large-cluster': { options: largeClusterOptions, read: largeClusterSettings },
};

const help = `npm run bench -- [--only NAME] [--save]

Runs each bench of bench/ in its own process and prints what it measured beside bench/baseline.json.
Exact numbers (how many pairs match, how good a plan is) must not change: a difference exits 1.
Speed is shown as a ratio only, corrected for the speed of the machine; above 1 is faster than the baseline.

  --only NAME  run one bench; ${[...takingLong].join(' and ')} run only so, since they take up to an hour
  --save       write the results to the baseline
  --help       show this

Options of --only controllers:
  --pods LIST       numbers of pods (500,1000)
  --budgets LIST    budgets of the NodePool (10%,100%)
  --runs N          runs of each, for median, least and most (1)
  --pace N          requests a second of kube-controller-manager and kube-scheduler (500)
  --karpenter PATH  measure this Karpenter with its provider for KWOK too; npm run karpenter-kwok builds it
  --profile DIR     write CPU profiles of the controllers there
  --decisions DIR   write their log, decisions and saved clusters there, for karpenter replay

Options of --only dev-memory:
  --minutes N       how long deployments are scaled all the time (60)

Options of --only large-cluster:
  --nodes N         nodes of the cluster (5000)
  --pods N          pods on them, as many on each (20 for each node)
  --profile DIR     write a CPU profile and the log of the controllers there, and when they did not yield for long
`;

const directory = join(root, 'bench');
const baselineFile = join(directory, 'baseline.json');

function options() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        save: { type: 'boolean' },
        help: { type: 'boolean' },
        ...Object.fromEntries(allOptions().map((name) => [name, { type: 'string' }])),
      },
    });
    return { ...values, environment: environmentOf(values) };
  } catch (error) {
    return fail(`${error.message}; run npm run bench -- --help`);
  }
}

function allOptions() {
  return [...new Set(Object.values(benchOptions).flatMap(({ options: own }) => Object.keys(own)))];
}

/** The environment of the benches, with the options of the one that was chosen. */
function environmentOf(values) {
  const { options: own = {}, read = () => undefined } = benchOptions[values.only] ?? {};
  const given = allOptions().filter((name) => values[name] !== undefined);
  const foreign = given.find((name) => own[name] === undefined);
  if (foreign !== undefined) throw new Error(`--${foreign} is an option of ${benchesWith(foreign)}`);
  const environment = {
    ...process.env,
    ...Object.fromEntries(given.map((name) => [own[name].variable, values[name]])),
  };
  read(environment);
  return environment;
}

function benchesWith(option) {
  const names = Object.keys(benchOptions).filter((name) => benchOptions[name].options[option] !== undefined);
  return names.map((name) => `--only ${name}`).join(' and ');
}

function benchNames(only) {
  const names = readdirSync(directory)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => basename(file, '.mjs'))
    .sort();
  if (only === undefined) return names.filter((name) => !takingLong.has(name));
  if (!names.includes(only)) fail(`there is no bench named "${only}"; choose one of ${names.join(', ')}`);
  return [only];
}

function measure(name, environment) {
  const runner = join(directory, 'harness', 'run-entry.mjs');
  const result = spawnSync(process.execPath, ['--expose-gc', runner, join(directory, `${name}.mjs`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: environment,
  });
  if (result.status !== 0) fail(`the bench ${name} failed, see above`);
  return JSON.parse(result.stdout);
}

function readBaseline() {
  return existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, 'utf8')) : {};
}

function main({ only, save, environment }) {
  const names = benchNames(only);
  prepare({ projects: ['packages/cli', 'packages/testkit'] });
  const baseline = readBaseline();
  const differing = names.filter((name) => {
    const measured = measure(name, environment);
    if (measured.skipped !== undefined) {
      console.log(`${name} skipped: ${measured.skipped}\n`);
      return false;
    }
    const { rows, differs } = compare(measured, baseline[name]);
    console.log(`${table([[name, 'now', 'baseline', ''], ...rows])}\n`);
    if (measured.report !== undefined) console.log(`${measured.report}\n`);
    if (save) baseline[name] = baselineOf(measured);
    return differs;
  });
  if (save) writeFileSync(baselineFile, `${JSON.stringify(baseline, undefined, 2)}\n`);
  if (differing.length === 0 || save) return;
  console.log(
    `exact numbers of ${differing.join(', ')} differ; if that is meant, run npm run bench -- --save`,
  );
  process.exitCode = 1;
}

const chosen = options();
if (chosen.help) process.stdout.write(help);
else main(chosen);
