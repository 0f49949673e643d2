import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import type { ClusterConfig } from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import { tokenFileCredentials } from './token-file.ts';

const accountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this process runs in a pod, by the environment variables that the kubelet sets in every pod. */
export function isInPod(env: Environment): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST']) && Boolean(env['KUBERNETES_SERVICE_PORT']);
}

/**
 * Returns the config of the pod's own cluster with its service account. Throws if the account is not mounted.
 */
export async function podAccountConfig(
  env: Environment,
  clock: Clock,
  directory = accountDirectory,
): Promise<ClusterConfig> {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  // Sequential, so that the error always names the same file when several are missing.
  const ca = await readAccountFile(join(directory, 'ca.crt'));
  const namespace = await readAccountFile(join(directory, 'namespace'));
  const credentials = tokenFileCredentials(join(directory, 'token'), clock);
  // Fail now rather than with the first request if the token is missing.
  await credentials.current();
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`,
    ca,
    namespace: namespace.trim(),
    credentials,
  };
}

async function readAccountFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CodedError(
      'credentials-failed',
      `cannot use the account of the pod: ${path} is missing or unreadable; mount a service account token`,
      { cause: error },
    );
  }
}
