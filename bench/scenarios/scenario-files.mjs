import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A generator that is kept beside the checkout makes the scenarios. */
export const generator = fileURLToPath(new URL('../../../shared/bench/gen.mjs', import.meta.url));

/** Writes each scenario to a file of its name. */
export async function writeScenarios(directory) {
  // It writes only if the path that it is started by is its own, which the path of a link is not.
  execFileSync(process.execPath, [realpathSync(generator), directory]);
  writeFileSync(join(directory, 'pools-3000.json'), JSON.stringify(await poolsScenario()));
}

/** Services over four NodePools; the heavier ones have limits that bind. */
async function poolsScenario() {
  const { services, pool } = await import(pathToFileURL(generator).href);
  const scenario = services(3000, 21);
  const cpus = scenario.pods.reduce((sum, { count, pod }) => sum + count * cpuOf(pod), 0);
  const [categories, ...others] = scenario.nodePools[0].spec.template.spec.requirements;
  const spot = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] };
  const of = (...values) => [{ ...categories, values }, ...others];
  const share = (part, unit = '') => `${Math.round(part * cpus)}${unit}`;
  const nodePools = [
    pool('first', [...of('c'), spot], { spec: { weight: 100, limits: { cpu: share(0.15) } } }),
    pool('second', [...of('m', 'r'), spot], {
      spec: { weight: 50, limits: { cpu: share(0.3), memory: share(1.2, 'Gi') } },
    }),
    pool('third', of('c', 'm', 'r'), { spec: { weight: 10, limits: { cpu: share(0.3) } } }),
    pool('rest', of('c', 'm', 'r')),
  ];
  return { ...scenario, nodePools };
}

const cpuOf = ({ spec }) => Number.parseInt(spec.containers[0].resources.requests.cpu, 10) / 1000;
