import { readFile } from 'node:fs/promises';
import {
  type ClusterConfig,
  type CredentialSource,
  type Credentials,
  tokenCredentials,
} from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import { type ChosenContext, type Section, textOf, unusable } from './kubeconfig.ts';
import { libraryAccess } from './library-credentials.ts';
import { tokenFileCredentials } from './token-file.ts';

/**
 * Builds the cluster config of a context. Throws a CodedError if
 * the context lacks a server or needs what we do not support.
 */
export async function configOfContext(chosen: ChosenContext, clock: Clock): Promise<ClusterConfig> {
  const { cluster, user, namespace } = chosen;
  const server = textOf(cluster, 'server');
  if (server === undefined || !URL.canParse(server)) {
    throw unusable(`the cluster of context ${JSON.stringify(chosen.name)} has no usable server address`);
  }
  if (
    user['as-groups'] !== undefined ||
    user['as-uid'] !== undefined ||
    user['as-user-extra'] !== undefined
  ) {
    throw unusable(
      `the user of context ${JSON.stringify(chosen.name)} impersonates more than a name; use another`,
    );
  }
  const ca = await pemOf(cluster, 'certificate-authority');
  const tlsServerName = textOf(cluster, 'tls-server-name');
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
    ...(namespace === undefined ? {} : { namespace }),
    ...(needsLibrary(chosen)
      ? await libraryAccess(chosen, clock)
      : { credentials: await ownCredentials(user, clock) }),
  };
}

/** Exec plugins, auth providers and proxies are left to the official client library. */
function needsLibrary({ cluster, user }: ChosenContext): boolean {
  return [user['exec'], user['auth-provider'], cluster['proxy-url']].some((value) => value !== undefined);
}

async function ownCredentials(user: Section, clock: Clock): Promise<CredentialSource> {
  const [cert, key] = [await pemOf(user, 'client-certificate'), await pemOf(user, 'client-key')];
  const impersonated = textOf(user, 'as');
  const fixed: Credentials = {
    ...(cert !== undefined && key !== undefined ? { certificate: { cert, key } } : {}),
    ...(impersonated === undefined ? {} : { headers: { 'impersonate-user': impersonated } }),
  };
  const source = authorization(user, clock);
  return {
    current: async () => ({ ...(await source?.current()), ...fixed }),
    renew: () => source?.renew?.() ?? false,
  };
}

/** Prefers tokenFile to token, as client-go does, because only the file is refreshed. */
function authorization(user: Section, clock: Clock): CredentialSource | undefined {
  const tokenFile = textOf(user, 'tokenFile');
  if (tokenFile !== undefined) return tokenFileCredentials(tokenFile, clock);
  const token = textOf(user, 'token');
  if (token !== undefined) return tokenCredentials(token);
  const username = textOf(user, 'username');
  if (username === undefined) return undefined;
  const basic = Buffer.from(`${username}:${textOf(user, 'password') ?? ''}`).toString('base64');
  return { current: async () => ({ authorization: `Basic ${basic}` }) };
}

/** Prefers inline `-data` to a file path, as client-go does. */
async function pemOf(section: Section, key: string): Promise<Buffer | undefined> {
  const data = textOf(section, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64');
  const path = textOf(section, key);
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw unusable(`its ${key} file ${path} cannot be read`, error);
  }
}
