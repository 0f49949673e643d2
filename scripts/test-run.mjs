// Runs static checks and test tiers, and ends with one line of counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { prepare, root, runTool } from './prepare.mjs';
import { checkProgramNames } from './program-names.mjs';

const staticChecks = [
  { name: 'types', status: () => runTool('tsc', ['--build']).status },
  { name: 'names in scripts and benchmarks', status: checkProgramNames },
  {
    name: 'lint and format',
    status: () => runTool('biome', ['check', '--error-on-warnings', '.']).status,
  },
  {
    name: 'no unused exports or files',
    status: () =>
      runTool('knip', ['--include', 'exports,types,files', '--no-progress', '--no-config-hints']).status,
  },
];

/** With `filters`, runs only the named files: no static checks, and only the tiers that contain them. */
export async function testRun({ tiers, filters = [] }) {
  prepare({ projects: ['packages/cli', 'packages/testkit'] });
  const { runnable, skipped, broken } = await choose(tiers);
  const checks = filters.length === 0 ? runStaticChecks() : { passed: 0, failed: 0, failures: [] };
  const tests = total(await runAll(byNode(runnable), filters));
  for (const { name, advice } of skipped) console.log(`${name} tier skipped: ${advice}`);
  for (const { name, why } of broken) console.log(`${name} tier failed: ${why}`);
  reportFailures([...checks.failures, ...tests.failures]);
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
  const failures = staticChecks.filter(({ name, status }) => {
    const ok = status() === 0;
    console.log(`${ok ? ' ✓' : ' ✗'} ${name}`);
    return !ok;
  });
  return {
    passed: staticChecks.length - failures.length,
    failed: failures.length,
    failures: failures.map(({ name }) => ({ where: name, errors: [] })),
  };
}

/** The projects to run on each Node version, one vitest run per version. All tiers of a version repeat alike. */
function byNode(tiers) {
  const runs = new Map();
  for (const { name, project = name, node = () => process.execPath, rounds } of tiers) {
    const { projects = [] } = runs.get(node()) ?? {};
    runs.set(node(), { projects: [...projects, project], rounds });
  }
  return [...runs].map(([node, run]) => ({ node, ...run }));
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
async function runAll(runs, filters) {
  const results = await Promise.all(
    runs.map(({ node, projects, rounds }, index) => {
      const tally = join(tmpdir(), `karpenter-tally-${process.pid}-${index}.json`);
      const workers = workersFor(runs.length) + (index === 0 ? spareWorkers(projects) : 0);
      return runFiles({ node, projects, rounds, filters, tally, workers, isShown: index === 0 });
    }),
  );
  return results.flat();
}

/** Signals of a Node that died by itself, not by somebody's hand. */
const crashes = ['SIGABRT', 'SIGSEGV'];

/** How often the files of a process that died are run again if no other file ends meanwhile. */
const maxRepeats = 3;

/**
 * Node 20 now and then aborts in its own memory management (`corrupted size vs. prev_size`), which says nothing about
 * a test. The files that had not ended are then run again; every test still has to pass.
 */
async function runFiles(run, repeats = 0) {
  const { status, signal } = await runVitest(run);
  const { planned = [], ended = [], deaths = 0, isComplete, ...counts } = readTally(run.tally);
  const left = planned.filter((file) => !ended.includes(file)).map((file) => relative(root, file));
  if (isComplete && left.length === 0) {
    return [{ ...counts, ok: counts.failed === 0 && (status === 0 || deaths > 0) }];
  }
  if ((deaths === 0 && !crashes.includes(signal)) || left.length === 0 || repeats === maxRepeats) {
    return [
      { ...counts, failed: counts.failed + 1, failures: [...counts.failures, unended(left)], ok: false },
    ];
  }
  console.log(
    `Node died; ${ended.length} test files had ended, running the other ${left.length}: ${left.join(' ')}`,
  );
  const rest = await runFiles({ ...run, filters: left }, ended.length > 0 ? 0 : repeats + 1);
  return [{ ...counts, ok: counts.failed === 0 }, ...rest];
}

function unended(files) {
  return { where: 'Node ended before these files had', errors: [files.join('\n')] };
}

/**
 * Every core gets a worker, shared among the runs. vitest alone would leave one core to its main thread, which has
 * little to do, and so run all tests of a 2-core machine one after the other.
 */
function workersFor(runs) {
  return Math.max(1, Math.floor(availableParallelism() / runs));
}

/**
 * Tests wait for other processes, browsers and timers, so a spare worker uses the core meanwhile. Those with a real
 * control plane wait for minutes at a time, so they get a second one.
 */
function spareWorkers(projects) {
  return projects.includes('cluster') || projects.includes('charts') ? 2 : 1;
}

async function runVitest({ node, projects, rounds, filters, tally, workers, isShown }) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const names = projects.flatMap((name) => ['--project', name]);
  const args = [vitest, 'run', `--maxWorkers=${workers}`, ...names, ...filters];
  const child = spawn(node, args, {
    cwd: root,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(rounds === 'quick' && { KARPENTER_TEST: '' }), KARPENTER_TALLY: tally },
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [status, signal] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  return { status, signal };
}

function readTally(tally) {
  try {
    return JSON.parse(readFileSync(tally, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [], isComplete: false };
  } finally {
    rmSync(tally, { force: true });
  }
}
