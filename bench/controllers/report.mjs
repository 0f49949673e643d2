import { spreadText } from './spread.mjs';

const seconds = { unit: 's' };
const megabytes = { unit: 'MB', digits: 0 };
const milliseconds = { unit: 'ms', digits: 0 };
const dollars = { digits: 2 };
const whole = { digits: 0 };
const maxErrorLength = 60;

/** The rows of one column: the median of the runs and, with several, the least and the most. */
export function factsOf(runs, fresh) {
  const over = (read, format) => spreadText(runs.map(read), format);
  const bill = (phase) =>
    `${over((run) => run[phase].nodes, whole)}, ${over((run) => run[phase].dollars, dollars)}`;
  return {
    'apply to all Running': over((run) => run.out.seconds, seconds),
    'nodes, $/hour': bill('out'),
    'NodeClaims of each plan': runs.map(({ out }) => out.plans.join(' + ')).join('; '),
    'scaled to 30 %: last deletion timestamp': over((run) => run.in.seconds, seconds),
    'scaled to 30 %: last change before 60 s without any': over((run) => run.in.secondsToQuiet, seconds),
    'nodes, $/hour then': bill('in'),
    'of a fresh plan': `${over((run) => run.in.dollars / fresh, dollars)} × ${fresh.toFixed(2)}`,
    'pods left, moves of all pods, most moves of a pod': [
      over((run) => run.in.left, whole),
      over((run) => run.in.moves, whole),
      over((run) => run.in.mostMoves, whole),
    ].join(', '),
    'all deleted to no nodes': over((run) => run.emptied.seconds, seconds),
    'CPU time': over((run) => run.usages.at(-1).cpuSeconds, seconds),
    'CPU time to ready, to Running, to 30 %, to no nodes': [0, 1, 2, 3]
      .map((phase) => over((run) => cpuOf(run, phase)))
      .join(', '),
    'memory at most': over((run) => run.usages.at(-1).peak / 1e6, megabytes),
    ...processFacts(runs),
    'errors logged': runs.map(errorsOf).join('; '),
    'load of the machine in the end': over((run) => run.load),
  };
}

const cpuOf = ({ usages }, phase) => usages[phase].cpuSeconds - (usages[phase - 1]?.cpuSeconds ?? 0);

/** What only our process reports about itself. */
function processFacts(runs) {
  if (runs.some(({ more }) => more.heapBytes === undefined)) return {};
  const over = (read, format) =>
    spreadText(
      runs.map(({ more }) => read(more)),
      format,
    );
  return {
    'heap in use in the end': over(({ heapBytes }) => heapBytes / 1e6, megabytes),
    'memory of the simulated account at most': over(({ accountBytes }) => accountBytes / 1e6, megabytes),
    'delay of the event loop p99': over(({ delayP99 }) => delayP99, milliseconds),
  };
}

/** The number of lines and of distinct messages, and the first of them. */
function errorsOf({ log }) {
  const errors = log.filter(({ level }) => level === 'ERROR');
  const texts = errors.map(({ message, controller, error }) =>
    [controller, message, error].filter((part) => part !== undefined).join(': '),
  );
  const [first, ...others] = new Set(texts);
  if (first === undefined) return '0';
  return `${errors.length}, ${others.length + 1} different, first: ${first.slice(0, maxErrorLength)}`;
}
