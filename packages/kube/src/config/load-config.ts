import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import type { ClusterConfig } from '../client/cluster-config.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { configOfContext } from './context-config.ts';
import { chooseContext, readKubeconfig } from './kubeconfig.ts';
import { type Environment, isInPod, podAccountConfig } from './pod-account.ts';

export interface LoadOptions {
  /** A kubeconfig file, before anything else. */
  readonly kubeconfig?: string;
  /** Defaults to the current context. */
  readonly context?: string;
  readonly env?: Environment;
  readonly home?: string;
  readonly clock?: Clock;
  /** Where a pod finds its account; tests have their own. */
  readonly accountDirectory?: string;
}

/**
 * Finds the cluster as controllers do: a file that was named, those of KUBECONFIG, the account of the pod,
 * the usual file in the home directory.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClusterConfig> {
  const { env = process.env, home = homedir(), clock = systemClock } = options;
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const named = options.kubeconfig === undefined ? listed : [options.kubeconfig];
  if (named.length > 0) return ofFiles(named, options.context, clock);
  if (isInPod(env)) return podAccountConfig(env, clock, options.accountDirectory);
  return ofUsualFile(join(home, '.kube', 'config'), options.context, clock);
}

async function ofFiles(
  paths: readonly string[],
  context: string | undefined,
  clock: Clock,
): Promise<ClusterConfig> {
  return configOfContext(chooseContext(await readKubeconfig(paths), context), clock);
}

async function ofUsualFile(path: string, context: string | undefined, clock: Clock): Promise<ClusterConfig> {
  const kubeconfig = await readKubeconfig([path]).catch((error) => {
    throw new CodedError(
      'no-cluster',
      `found no cluster: KUBECONFIG is not set, this is no pod and ${path} is not usable; set KUBECONFIG`,
      { cause: error },
    );
  });
  return configOfContext(chooseContext(kubeconfig, context), clock);
}
