// Runs static checks and test tiers, and ends with one line of counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, runTool } from './prepare.mjs';

const staticChecks = [
  { name: 'types', tool: 'tsc', args: ['--build'] },
  { name: 'lint and format', tool: 'biome', args: ['check', '--error-on-warnings', '.'] },
  {
    name: 'no unused exports or files',
    tool: 'knip',
    args: ['--include', 'exports,types,files', '--no-progress', '--no-config-hints'],
  },
];

/** With `filters`, runs only the named files: no static checks, and only the tiers that contain them. */
export async function testRun({ tiers, filters = [] }) {
  prepare({ projects: ['packages/cli', 'packages/testkit'] });
  const { runnable, skipped, broken } = await choose(tiers);
  const checks = filters.length === 0 ? runStaticChecks() : { passed: 0, failed: 0 };
  const tests = total(await runAll(byNode(runnable), filters));
  for (const { name, advice } of skipped) console.log(`${name} tier skipped: ${advice}`);
  for (const { name, why } of broken) console.log(`${name} tier failed: ${why}`);
  reportFailures(tests.failures);
  const failed = checks.failed + tests.failed + broken.length;
  console.log(
    `${checks.passed + tests.passed} passed, ${failed} failed, ${tests.skipped + skipped.length} skipped`,
  );
  return failed === 0 && tests.ok ? 0 : 1;
}

async function choose(tiers) {
  const chosen = { runnable: [], skipped: [], broken: [] };
  for (const tier of tiers) {
    const advice = tier.missing();
    if (advice === undefined) chosen.runnable.push(tier);
    else if (process.env.KARPENTER_TEST !== 'all') chosen.skipped.push({ name: tier.name, advice });
    else await provide(tier, chosen);
  }
  return chosen;
}

async function provide(tier, { runnable, broken }) {
  try {
    await tier.provide();
    runnable.push(tier);
  } catch (error) {
    broken.push({ name: tier.name, why: error.message });
  }
}

function runStaticChecks() {
  const failures = staticChecks.filter(({ name, tool, args }) => {
    const ok = runTool(tool, args).status === 0;
    console.log(`${ok ? ' ✓' : ' ✗'} ${name}`);
    return !ok;
  });
  return { passed: staticChecks.length - failures.length, failed: failures.length };
}

/** The projects to run on each Node version, one vitest run per version. */
function byNode(tiers) {
  const runs = new Map();
  for (const { name, project = name, node = () => process.execPath } of tiers) {
    runs.set(node(), [...(runs.get(node()) ?? []), project]);
  }
  return [...runs];
}

function total(results) {
  const sum = (count) => results.reduce((all, result) => all + result[count], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: results.flatMap(({ failures = [] }) => failures),
    ok: results.every(({ ok }) => ok),
  };
}

/** Repeats the failures at the end: of several runs, only the last is still on the screen. */
function reportFailures(failures) {
  for (const { where, errors } of failures) {
    console.log(`failed: ${where}`);
    for (const message of errors) console.log(message.split('\n').slice(0, 20).join('\n'));
  }
}

/**
 * Runs all Node versions at once, because the tier with a real control plane mostly waits. The output of the first
 * appears as it comes, that of the others when they have ended.
 */
function runAll(runs, filters) {
  return Promise.all(
    runs.map(async ([node, projects], index) => {
      const tally = join(tmpdir(), `karpenter-tally-${process.pid}-${index}.json`);
      const workers = workersFor(runs.length);
      const status = await runVitest({ node, projects, filters, tally, workers, isShown: index === 0 });
      return { ...readTally(tally), ok: status === 0 };
    }),
  );
}

/**
 * Every core gets a worker, shared among the runs. vitest alone would leave one core to its main thread, which has
 * little to do, and so run all tests of a 2-core machine one after the other.
 */
function workersFor(runs) {
  return Math.max(1, Math.floor(availableParallelism() / runs));
}

async function runVitest({ node, projects, filters, tally, workers, isShown }) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const names = projects.flatMap((name) => ['--project', name]);
  const args = [vitest, 'run', `--maxWorkers=${workers}`, ...names, ...filters];
  const child = spawn(node, args, {
    cwd: root,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, KARPENTER_TALLY: tally },
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [status] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  return status;
}

function readTally(tally) {
  try {
    return JSON.parse(readFileSync(tally, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(tally, { force: true });
  }
}
