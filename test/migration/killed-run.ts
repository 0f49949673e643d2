import {
  type MigrationPorts,
  newProgress,
  observe,
  readGroups,
  runMigration,
} from '@karpenter/aws/migration';
import type { AwsServices } from '@karpenter/aws/ports';
import { type KubeClient, kinds } from '@karpenter/kube/client';
import type { EksCluster } from './eks-cluster.ts';

/** The call at which a process dies: the n-th of its name, before or after it takes effect. */
export interface FatalCall {
  readonly call: string;
  readonly count: number;
  readonly isCarriedOut: boolean;
}

class Killed extends Error {}

/** Runs the migration in a process that dies at the call; true if it died, false if it finished before. */
export async function runUntilKilled(cluster: EksCluster, fatal: FatalCall | undefined): Promise<boolean> {
  const { clock, during } = cluster;
  const life = new ShortLife(fatal);
  const client = life.wrap(
    cluster.client,
    (name, [kind]) => `${name} ${name === 'evict' ? 'Pod' : kindName(kind)}`,
  );
  const services: Pick<AwsServices, 'autoScaling' | 'eks' | 'ec2'> = {
    ec2: cluster.services.ec2,
    autoScaling: life.wrap(cluster.services.autoScaling, (name) => name),
    eks: life.wrap(cluster.services.eks, (name) => name),
  };
  const ports: MigrationPorts = { client, services, clock, misfits: async () => [], onStep: () => undefined };
  const run = async () => {
    const wanted = await newMigration(cluster.client, cluster.services, clock);
    await runMigration(wanted, ports, { parallel: 1, timeoutMs: 900_000, force: false });
  };
  try {
    await during(run());
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

async function newMigration(client: KubeClient, services: AwsServices, clock: EksCluster['clock']) {
  const groups = await readGroups({ services, clusterName: 'dev' });
  const watched = groups.map(({ autoScalingGroup = '' }) => ({ autoScalingGroup }));
  const observed = await observe({ client, services, now: () => clock.now() }, { groups: watched });
  const autoscaler = await client.get(kinds.deployment, {
    namespace: 'kube-system',
    name: 'cluster-autoscaler',
  });
  return newProgress({ clusterName: 'dev', groups, autoscaler, keep: new Map() }, observed);
}

function kindName(kind: unknown): string {
  return typeof kind === 'object' && kind !== null && 'kind' in kind ? String(kind.kind) : '';
}

/** Everything that the process sends goes through here, so that nothing is sent after its death. */
class ShortLife {
  readonly #fatal: FatalCall | undefined;
  #left: number;
  #isOver = false;

  constructor(fatal: FatalCall | undefined) {
    this.#fatal = fatal;
    this.#left = fatal?.count ?? 0;
  }

  wrap<T extends object>(target: T, nameOf: (method: string, args: readonly unknown[]) => string): T {
    return new Proxy(target, {
      get: (object, method) => {
        const call: unknown = Reflect.get(object, method);
        if (typeof call !== 'function') return call;
        return (...args: readonly unknown[]) =>
          this.#call(nameOf(String(method), args), async () => Reflect.apply(call, object, args));
      },
    });
  }

  async #call(name: string, work: () => Promise<unknown>): Promise<unknown> {
    if (this.#isOver) throw new Killed();
    if (this.#fatal?.call !== name) return work();
    this.#left -= 1;
    if (this.#left > 0) return work();
    this.#isOver = true;
    if (this.#fatal.isCarriedOut) await work();
    throw new Killed();
  }
}
