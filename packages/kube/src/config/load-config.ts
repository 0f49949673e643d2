import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import type { ClusterConfig } from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import { systemClock } from '../runtime/index.ts';
import { configOfContext } from './context-config.ts';
import { chooseContext, readKubeconfig } from './kubeconfig.ts';
import { type Environment, isInPod, podAccountConfig } from './pod-account.ts';

export interface LoadOptions {
  /** Path of a kubeconfig; takes precedence over everything else. */
  readonly kubeconfig?: string;
  /** Defaults to the current context. */
  readonly context?: string;
  readonly env?: Environment;
  readonly home?: string;
  readonly clock?: Clock;
  /** Directory of the mounted service account; tests override it. */
  readonly accountDirectory?: string;
}

/**
 * Loads the cluster config in the order of controller-runtime: the given file,
 * the files of KUBECONFIG, the service account of the pod, `~/.kube/config`.
 * Throws a CodedError that says what was tried if none is usable.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClusterConfig> {
  const { env = process.env, home = homedir(), clock = systemClock } = options;
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const named = options.kubeconfig === undefined ? listed : [options.kubeconfig];
  if (named.length > 0) return fromFiles(named, options.context, clock);
  if (isInPod(env)) return podAccountConfig(env, clock, options.accountDirectory);
  return fromHomeFile(join(home, '.kube', 'config'), options.context, clock);
}

async function fromFiles(
  paths: readonly string[],
  context: string | undefined,
  clock: Clock,
): Promise<ClusterConfig> {
  return configOfContext(chooseContext(await readKubeconfig(paths), context), clock);
}

async function fromHomeFile(path: string, context: string | undefined, clock: Clock): Promise<ClusterConfig> {
  const kubeconfig = await readKubeconfig([path]).catch((error) => {
    throw new CodedError(
      'no-cluster',
      `found no cluster: KUBECONFIG is not set, this is no pod and ${path} is not usable; set KUBECONFIG`,
      { cause: error },
    );
  });
  return configOfContext(chooseContext(kubeconfig, context), clock);
}
