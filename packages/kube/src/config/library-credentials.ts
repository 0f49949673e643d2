import type { Agent, RequestOptions } from 'node:https';
import { CodedError } from '@karpenter/core/errors';
import type { CredentialSource, Credentials } from '../client/index.ts';
import type { Clock, Instant } from '../runtime/index.ts';
import type { ChosenContext, Section } from './kubeconfig.ts';

/**
 * How long to cache credentials. The library caches exec
 * tokens until they expire; this avoids calling it for each request.
 */
const freshForMs = 60_000;

/**
 * Gets credentials from exec plugins and auth providers, and an agent for proxies, through the official
 * client library. The library takes most of a second to load, so only configurations that need it import it.
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
  const credentials = cachedCredentials(load, clock, chosen.name);
  if (chosen.cluster['proxy-url'] === undefined) return { credentials };
  const { agent } = await load()();
  return typeof agent === 'object' ? { credentials, agent: agent as Agent } : { credentials };
}

/**
 * Runs the credential program once at a time and caches the
 * result. `renew` discards the library's own cache too.
 */
function cachedCredentials(
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
  const header = authorization ?? (auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined);
  return {
    headers: others,
    ...(header === undefined ? {} : { authorization: header }),
    ...(isPem(cert) && isPem(key) ? { certificate: { cert, key } } : {}),
  };
}

function isPem(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

/** Formats this one context as a kubeconfig for the library. JSON is valid YAML. */
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

/** Sets KUBERNETES_EXEC_INFO, which client-go passes to credential programs and the library does not. */
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
