import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** So many saved clusters are kept in memory; a scale-in makes about twenty replayable decisions. */
export const clustersKept = 100;

/** Writes the log of the controllers, their decisions and the clusters of those that `karpenter replay` can make again. */
export async function saveDecisions(directory, { metricsUrl, log }) {
  mkdirSync(directory, { recursive: true });
  const save = (name, content) => writeFileSync(join(directory, name), content);
  save('log.jsonl', log.map((line) => `${JSON.stringify(line)}\n`).join(''));
  /** @type {{ id: string, isReplayable: boolean }[]} */
  const decisions = await (await fetch(`${metricsUrl}/decisions?limit=1000`)).json();
  save('decisions.json', JSON.stringify(decisions, undefined, 2));
  for (const { id } of decisions.filter(({ isReplayable }) => isReplayable)) {
    const response = await fetch(`${metricsUrl}/decisions/${id}/cluster`);
    if (response.ok) save(`${id}.json.gz`, Buffer.from(await response.arrayBuffer()));
  }
}
