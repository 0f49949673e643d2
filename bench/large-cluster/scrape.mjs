/**
 * Reads the metrics line by line, until `seeLine` returns true; on a large cluster they are a hundred megabytes and
 * more.
 */
export async function scrape(metricsUrl, seeLine = () => false) {
  const enough = new AbortController();
  try {
    const { body } = await fetch(`${metricsUrl}/metrics`, { signal: enough.signal });
    let rest = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      if (lines.some(seeLine)) return;
    }
  } catch {
    // A busy process may respond too late; this scrape is then skipped.
  } finally {
    enough.abort();
  }
}

export function scrapeRegularly(metricsUrl, everyMs) {
  const timer = setInterval(() => void scrape(metricsUrl), everyMs);
  return () => clearInterval(timer);
}

export async function isSynced(metricsUrl) {
  let isFound = false;
  await scrape(metricsUrl, (line) => {
    isFound = line === 'karpenter_cluster_state_synced 1';
    return isFound || line.startsWith('karpenter_nodes_');
  });
  return isFound;
}

const disruption = /^karpenter_voluntary_disruption_(\w+?)(?:\{(.*)\})? (\S+)$/;

/**
 * How the searches for nodes to consolidate went: how many ended, how long they took, how many of the nodes the
 * last one looked at, and what came of them.
 */
export async function searchFigures(metricsUrl) {
  const values = new Map();
  await scrape(metricsUrl, (line) => {
    const [, name, labels = '', value] = disruption.exec(line) ?? [];
    if (name !== undefined) values.set(`${name} ${labels}`, Number(value));
    return false;
  });
  const sum = (name, label) =>
    [...values]
      .filter(([key]) => key.startsWith(`${name} `) && key.includes(label))
      .reduce((total, [, value]) => total + value, 0);
  const duration = 'decision_evaluation_duration_seconds';
  return {
    searches: sum(`${duration}_count`, 'reason="underutilized"'),
    seconds: sum(`${duration}_sum`, 'reason="underutilized"'),
    coverage: sum('evaluation_coverage', ''),
    timeouts: sum('consolidation_timeouts_total', ''),
    decisions: sum('decisions_total', ''),
  };
}
