import type { Agent, RequestOptions } from 'node:https';
import { CodedError } from '@karpenter/core/errors';
import type { CredentialSource, Credentials } from '../client/cluster-config.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { ChosenContext, Section } from './kubeconfig.ts';

const freshForMs = 60_000;

/**
 * Credentials by programs and identity providers, and the way through proxies, are what the official library
 * is for. It takes most of a second to load, so it is loaded only for configurations that need it.
 */
export async function libraryAccess(
  chosen: ChosenContext,
  clock: Clock,
): Promise<{ readonly credentials: CredentialSource; readonly agent?: Agent }> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const text = kubeconfigOf(chosen);
  const load = () => {
    const config = new KubeConfig();
    config.loadFromString(text);
    return async () => {
      const options: RequestOptions = {};
      await config.applyToHTTPSOptions(options);
      return options;
    };
  };
  const credentials = remembered(load, clock, chosen.name);
  if (chosen.cluster['proxy-url'] === undefined) return { credentials };
  const { agent } = await load()();
  return typeof agent === 'object' ? { credentials, agent: agent as Agent } : { credentials };
}

/** One run of a program at a time, and its answer for a while; a new start after the server refused it. */
function remembered(
  load: () => () => Promise<RequestOptions>,
  clock: Clock,
  context: string,
): CredentialSource {
  let ask = load();
  let known: { readonly credentials: Promise<Credentials>; readonly until: Instant } | undefined;
  return {
    current() {
      if (known === undefined || clock.now() >= known.until) {
        const credentials = ask().then(credentialsFrom, (error) => {
          known = undefined;
          throw failed(context, error);
        });
        known = { credentials, until: clock.now() + freshForMs };
      }
      return known.credentials;
    },
    renew() {
      ask = load();
      known = undefined;
      return true;
    },
  };
}

function failed(context: string, error: unknown): CodedError {
  const why = error instanceof Error ? error.message.trim() : String(error);
  return new CodedError(
    'credentials-failed',
    `cannot get credentials for context ${JSON.stringify(context)}: ${why || 'the credential program failed'}`,
    { cause: error },
  );
}

function credentialsFrom({ headers, auth, cert, key }: RequestOptions): Credentials {
  const fields = Object.entries({ ...headers }).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
  );
  const { authorization, ...others }: Record<string, string> = Object.fromEntries(fields);
  const proof = authorization ?? (auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined);
  return {
    headers: others,
    ...(proof === undefined ? {} : { authorization: proof }),
    ...(isPem(cert) && isPem(key) ? { certificate: { cert, key } } : {}),
  };
}

function isPem(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

/** A kubeconfig of this one context. JSON is YAML. */
function kubeconfigOf({ cluster, user }: ChosenContext): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'chosen',
    clusters: [{ name: 'chosen', cluster }],
    users: [{ name: 'chosen', user: withExecInfo(user) }],
    contexts: [{ name: 'chosen', context: { cluster: 'chosen', user: 'chosen' } }],
  });
}

/** Programs may ask what they are run for; the library does not tell them. */
function withExecInfo(user: Section): Section {
  const exec = user['exec'];
  if (typeof exec !== 'object' || exec === null) return user;
  const { env, apiVersion } = { env: [], apiVersion: 'client.authentication.k8s.io/v1', ...exec };
  const value = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } });
  return {
    ...user,
    exec: { ...exec, env: [...(Array.isArray(env) ? env : []), { name: 'KUBERNETES_EXEC_INFO', value }] },
  };
}
