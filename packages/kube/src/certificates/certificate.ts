import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '../runtime/index.ts';
import * as der from './der.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Period in which a certificate is valid. */
export interface Validity {
  readonly from: Instant;
  readonly lasts: DurationMs;
}

export interface LeafOptions extends Validity {
  /** For a client, Kubernetes takes this as the user name and `organizations` as the groups. */
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usage: 'server' | 'client';
  /** Subject alternative names of a server: host names and IP addresses. */
  readonly names?: readonly string[];
}

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** Start of the validity before `from`, so that a peer whose clock is behind accepts a new certificate. */
const backdatedMs = 5 * 60_000;

interface Body extends Validity {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** Creates a self-signed CA. Its path length of 0 lets it sign leaf certificates but no further CA. */
export function createAuthority(commonName: string, validity: Validity): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = distinguishedName(commonName, []);
  const extensions = [
    extension(oids.basicConstraints, der.sequence(der.truth(), der.integer(Buffer.from([0]))), true),
    // keyCertSign and cRLSign
    extension(oids.keyUsage, der.bitString(Buffer.from([0x06]), 1), true),
    extension(oids.subjectKeyIdentifier, der.octetString(keyIdentifier(publicKey))),
  ];
  const cert = signed({ ...validity, subject: name, issuer: name, publicKey, extensions }, privateKey);
  return { cert, key: pemOf(privateKey) };
}

/** Creates a server or client certificate signed by a CA of `createAuthority`. */
export function createLeaf(authority: KeyedCertificate, options: LeafOptions): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = new X509Certificate(authority.cert);
  const { commonName, organizations = [], usage, names = [] } = options;
  const extensions = [
    extension(oids.basicConstraints, der.sequence(), true),
    // digitalSignature
    extension(oids.keyUsage, der.bitString(Buffer.from([0x80]), 7), true),
    extension(oids.extendedKeyUsage, der.sequence(der.objectIdentifier(oids[`${usage}Auth`]))),
    extension(oids.authorityKeyIdentifier, der.sequence(der.taggedValue(0, keyIdentifier(issuer.publicKey)))),
    ...(names.length === 0
      ? []
      : [extension(oids.subjectAltName, der.sequence(...names.map(alternativeName)))]),
  ];
  const body: Body = {
    ...options,
    subject: distinguishedName(commonName, organizations),
    issuer: distinguishedName(commonNameOf(issuer), []),
    publicKey,
    extensions,
  };
  return { cert: signed(body, createPrivateKey(authority.key)), key: pemOf(privateKey) };
}

/** Returns the end of a certificate's validity. */
export function expiryOf(cert: string): Instant {
  return Date.parse(new X509Certificate(cert).validTo);
}

/** Whether less than this share of the certificate's lifetime is left. */
export function isRunningOut(cert: string, share: number, now: Instant): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now >= to - (to - from) * share;
}

/** Whether the key belongs to the certificate. False if either cannot be read. */
export function isPair({ cert, key }: KeyedCertificate): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Whether a CA of `createAuthority` signed the certificate. */
export function isSignedBy(cert: string, authority: string): boolean {
  const [leaf, issuer] = [new X509Certificate(cert), new X509Certificate(authority)];
  return leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey);
}

/** Whether the certificate is valid for the host name or IP address. */
export function isFor(cert: string, name: string): boolean {
  const parsed = new X509Certificate(cert);
  return (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) !== undefined;
}

/** Encodes and signs an X.509 v3 certificate, and returns it as PEM. */
function signed(body: Body, issuerKey: KeyObject): string {
  const algorithm = der.sequence(der.objectIdentifier(oids.ecdsaWithSha256));
  const version3 = der.tagged(0, der.integer(Buffer.from([2])));
  const content = der.sequence(
    version3,
    der.integer(randomBytes(16)),
    algorithm,
    body.issuer,
    der.sequence(der.time(body.from - backdatedMs), der.time(body.from + body.lasts)),
    body.subject,
    body.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, der.sequence(...body.extensions)),
  );
  const bytes = der.sequence(content, algorithm, der.bitString(sign('sha256', content, issuerKey)));
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const attribute = (oid: string, value: string) =>
    der.set(der.sequence(der.objectIdentifier(oid), der.utf8String(value)));
  return der.sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  );
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.objectIdentifier(oid), ...(critical ? [der.truth()] : []), der.octetString(value));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0
    ? der.taggedValue(2, Buffer.from(name, 'ascii'))
    : der.taggedValue(7, addressBytes(name));
}

/** The bytes of an IP address. `URL` normalizes IPv6, so that only `::` is left to expand. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/**
 * SHA-1 of the public key bits without the algorithm, as RFC 5280 suggests (section 4.2.1.2): the last 65 bytes, an
 * uncompressed P-256 point.
 */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}
