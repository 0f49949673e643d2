import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { createAuthority, createLeaf, expiryOf, type KeyedCertificate } from '@karpenter/kube/certificates';

/** What makes this cluster itself: whoever trusts it once can trust it after a restart. */
export interface Identity {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
  /** The administrator's. */
  readonly token: string;
  /** Signs the tokens of service accounts. */
  readonly signingKey: Buffer;
}

interface Stored {
  readonly authority: KeyedCertificate;
  readonly token: string;
  readonly signingKey: string;
}

const day = 86_400_000;
const authorityLasts = durationMs(3650 * day);
const servingLasts = durationMs(365 * day);
const servingNames = ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

export async function loadIdentity(dataDir: string | undefined, nowMs: number): Promise<Identity> {
  const stored = dataDir === undefined ? newIdentity(nowMs) : await storedIdentity(dataDir, nowMs);
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

function newIdentity(nowMs: number): Stored {
  return {
    authority: createAuthority('karpenter-dev', { from: nowMs, lasts: authorityLasts }),
    token: randomBytes(24).toString('base64url'),
    signingKey: randomBytes(32).toString('base64'),
  };
}

async function storedIdentity(dataDir: string, nowMs: number): Promise<Stored> {
  const path = join(dataDir, 'identity.json');
  await mkdir(dataDir, { recursive: true });
  const known = await readIdentity(path);
  if (known !== undefined && expiryOf(known.authority.cert) > nowMs + servingLasts) return known;
  const made = newIdentity(nowMs);
  await writeFile(path, JSON.stringify(made), { mode: 0o600 });
  return made;
}

async function readIdentity(path: string): Promise<Stored | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError(
      'damaged-data-directory',
      `cannot read the cluster's identity in ${path}: the file is damaged; restore it or choose another --data-dir`,
      { details: { file: path }, cause },
    );
  }
}
