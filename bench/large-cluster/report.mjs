import { table } from '../harness/compare.mjs';

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
const maxListed = 10;
const seconds = (ms) => (ms / 1000).toFixed(1);

const title = [
  'until the end of',
  's',
  'MB',
  'MB at most',
  'MB of heap',
  's of CPU',
  'delay p99 ms',
  'at most ms',
  'CPU p99 ms',
  'at most ms',
];

function phaseRow({ phase, seconds: at, rss, peak, heapUsed, cpuSeconds, ...loop }) {
  const { delayP99, delayMax, busyP99, busyMax } = loop;
  return [
    phase,
    at.toFixed(0),
    megabytes(rss),
    megabytes(peak),
    megabytes(heapUsed),
    cpuSeconds.toFixed(1),
    ...[delayP99, delayMax, busyP99, busyMax].map((ms) => ms.toFixed(0)),
  ];
}

/** Of pods that were created at about the same time: when the first, half and all of them ran. */
export function burstText(names, times) {
  const all = names.map((name) => times.get(name));
  const start = Math.min(...all.map(({ created }) => created));
  const ran = all.flatMap(({ running }) => running ?? []).sort((a, b) => a - b);
  const at = (share) => {
    const moment = ran[Math.ceil(share * names.length) - 1];
    return moment === undefined ? '-' : `${seconds(moment - start)} s`;
  };
  return `${ran.length} of ${names.length} new pods ran: the first after ${at(1 / names.length)}, half after ${at(0.5)}, all after ${at(1)}`;
}

function searchText({ searches, seconds: spent, coverage, timeouts, decisions }) {
  const mean = searches === 0 ? 0 : spent / searches;
  return `${searches} searches for consolidations ended, after ${mean.toFixed(1)} s on average; the last looked at ${(100 * coverage).toFixed(0)} % of the eligible nodes, and skipped those that budgets protect; ${timeouts} timeouts, ${decisions} commands`;
}

export function reportOf({ size, phases, log, newNodes, burst, search, beside }) {
  const errors = log.filter(({ level }) => level === 'ERROR');
  const large = [...newNodes.times].filter(([name]) => name.startsWith('large-'));
  const bound = large.filter(([, { bound: moment }]) => moment !== undefined);
  return `${size.nodes} nodes, ${size.nodes * size.podsPerNode} pods
${table([title, ...phases.map(phaseRow)])}
beside the controllers: API server ${megabytes(beside.server)} MB, account and kubelets ${megabytes(beside.account)} MB at most
${bound.length} of ${large.length} pods that needed new nodes got one${listed([...newNodes.reasons.values()])}
${burstText(burst, newNodes.times)}
${searchText(search)}
${errors.length} errors logged${listed(errors.map(({ message, error }) => `${message}: ${error}`))}`;
}

/** Each text once, with how often it occurs; names differ between the texts, so that only the first are shown. */
function listed(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxListed)
    .map(([text, count]) => `\n  ${count} times ${text.slice(0, 200)}`)
    .join('');
}
