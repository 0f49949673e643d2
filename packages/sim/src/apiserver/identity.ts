import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf, expiryOf, type KeyedCertificate } from '@karpenter/kube/certificates';
import { systemCode, writeFileAtomically } from '../durable-files/index.ts';
import type { DataDirectory } from './data-directory.ts';
import { damaged } from './store/index.ts';

/**
 * Keys, certificates and tokens of the cluster. They are stored, so that a kubeconfig works after a restart.
 */
export interface Identity {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  /** Bearer token of the administrator. */
  readonly token: string;
  /** HMAC key of service account tokens. */
  readonly signingKey: Buffer;
}

interface StoredIdentity {
  readonly authority: KeyedCertificate;
  readonly token: string;
  readonly signingKey: string;
}

const day = 86_400_000;
const authorityLasts = durationMs(3650 * day);
const servingLasts = durationMs(365 * day);
const servingNames = ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

export interface IdentityOptions {
  /**
   * Replaces an identity file that cannot be read by a new identity, and keeps the file under another name.
   */
  readonly repair?: boolean;
  readonly onNotice?: (message: string) => void;
}

/**
 * Loads the identity, or creates one when there is none or its CA expires within a year. Each start issues a
 * new serving certificate, which is valid for a year.
 */
export async function loadIdentity(
  dataDir: DataDirectory | undefined,
  nowMs: number,
  options: IdentityOptions = {},
): Promise<Identity> {
  const stored =
    dataDir === undefined
      ? newIdentity(nowMs)
      : await dataDir.using(() => storedIdentity(join(dataDir.path, 'identity.json'), nowMs, options));
  const { authority, token, signingKey } = stored;
  const serving = createLeaf(authority, {
    commonName: 'kube-apiserver',
    usage: 'server',
    names: servingNames,
    from: nowMs,
    lasts: servingLasts,
  });
  return { authority, serving, token, signingKey: Buffer.from(signingKey, 'base64') };
}

function newIdentity(nowMs: number): StoredIdentity {
  return {
    authority: createAuthority('karpenter-dev', { from: nowMs, lasts: authorityLasts }),
    token: randomBytes(24).toString('base64url'),
    signingKey: randomBytes(32).toString('base64'),
  };
}

async function storedIdentity(
  path: string,
  nowMs: number,
  options: IdentityOptions,
): Promise<StoredIdentity> {
  const known = await readOrReplace(path, options);
  if (known !== undefined && expiryOf(known.authority.cert) > nowMs + servingLasts) return known;
  const created = newIdentity(nowMs);
  const checksum = checksumOf(created);
  await writeFileAtomically(path, JSON.stringify({ ...created, checksum }));
  return created;
}

async function readOrReplace(path: string, options: IdentityOptions): Promise<StoredIdentity | undefined> {
  try {
    return await readIdentity(path);
  } catch (error) {
    if (!(error instanceof CodedError) || options.repair !== true) throw error;
    const aside = `${path}.damaged-${randomBytes(4).toString('hex')}`;
    await rename(path, aside);
    options.onNotice?.(
      `${path}: certificates and tokens cannot be read and are created again; the file is kept as ${aside}`,
    );
    return undefined;
  }
}

async function readIdentity(path: string): Promise<StoredIdentity | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const stored = parsed(text);
  if (stored !== undefined) return stored;
  throw damaged(path, undefined, 'certificates and tokens are not what was written');
}

/** Undefined for damaged files. Files of earlier versions have no checksum and are accepted. */
function parsed(text: string): StoredIdentity | undefined {
  try {
    const { checksum, ...stored } = Object(JSON.parse(text));
    return isStoredIdentity(stored) && (checksum === undefined || checksum === checksumOf(stored))
      ? stored
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isStoredIdentity(value: object): value is StoredIdentity {
  if (!('authority' in value && 'token' in value && 'signingKey' in value)) return false;
  const { authority, token, signingKey } = value;
  if (typeof authority !== 'object' || authority === null) return false;
  if (!('cert' in authority && 'key' in authority)) return false;
  return [authority.cert, authority.key, token, signingKey].every((each) => typeof each === 'string');
}

function checksumOf({ authority, token, signingKey }: StoredIdentity): string {
  return createHash('sha256')
    .update([authority.cert, authority.key, token, signingKey].join('\n'))
    .digest('hex');
}
