// Runs the controllers through simulated days in which something keeps going wrong.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, prepare, root } from './prepare.mjs';

const help = `npm run soak -- [--days N | --hours N] [--seed N]

Runs a cluster on a virtual clock: workloads scale, instances are interrupted and vanish, zones fail, capacity
runs out, calls are throttled, replies get lost, controllers are killed, the clock of their host is set. After
each simulated minute it checks that no instance is orphaned or launched twice, that no pod waits that could
run, that no NodeClaim is stuck and that budgets hold; at the end, that memory did not grow. It stops at the
first violation; the same seed repeats the run. A simulated day takes about five minutes.

  --days N   simulated days (default 1)
  --hours N  simulated hours instead of days
  --seed N   what happens when (default 1)
  --help     show this
`;

function options() {
  try {
    const { values } = parseArgs({
      options: {
        days: { type: 'string' },
        hours: { type: 'string' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return fail(`${error.message}; run npm run soak -- --help`);
  }
}

/** A whole number from 1 to 999999. */
function count(name, text) {
  if (!/^[1-9]\d{0,5}$/.test(text))
    fail(`--${name} is "${text}", which is not a whole number from 1 to 999999`);
  return Number(text);
}

function hoursOf({ days = '1', hours }) {
  return hours === undefined ? 24 * count('days', days) : count('hours', hours);
}

async function run(wanted) {
  prepare({ projects: ['packages/cli', 'packages/testkit'] });
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'soak'],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        KARPENTER_SOAK_HOURS: String(hoursOf(wanted)),
        KARPENTER_SOAK_SEED: String(count('seed', wanted.seed)),
        KARPENTER_SOAK_PROGRESS: 'true',
      },
    },
  );
  // The terminal sends Ctrl-C to both; this process waits for vitest to clean up.
  process.on('SIGINT', () => {});
  const [status] = await once(child, 'exit');
  return status ?? 1;
}

const wanted = options();
if (wanted.help) console.log(help);
else process.exitCode = await run(wanted);
