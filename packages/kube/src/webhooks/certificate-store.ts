import type { Secret } from 'kubernetes-types/core/v1.js';
import type { KubeClient, ObjectKey } from '../client/index.ts';
import { isAlreadyExists, isConflict, kinds } from '../client/index.ts';
import type { ServingCertificates } from './serving-certificate.ts';

/** Stores certificates, so that all replicas and the next start of a server use the same. */
export interface CertificateStore {
  /**
   * Passes the stored certificates to `renew`, stores the
   * result and returns it. `renew` may run several times.
   */
  update(
    renew: (present: ServingCertificates | undefined) => ServingCertificates,
  ): Promise<ServingCertificates>;
}

/** Keeps certificates in memory: for a single server that publishes its CA bundle at each start. */
export function memoryStore(): CertificateStore {
  let present: ServingCertificates | undefined;
  return {
    async update(renew) {
      present = renew(present);
      return present;
    },
  };
}

const keys = {
  authorityCert: 'ca-cert.pem',
  authorityKey: 'ca-key.pem',
  trusted: 'ca-bundle.pem',
  servingCert: 'server-cert.pem',
  servingKey: 'server-key.pem',
  nextCert: 'next-ca-cert.pem',
  nextKey: 'next-ca-key.pem',
} as const;

/** Keeps certificates in a Secret. After a conflict it reads again and uses what another replica wrote. */
export function secretStore(client: KubeClient, key: Required<ObjectKey>): CertificateStore {
  return {
    async update(renew) {
      for (;;) {
        const secret = await client.find(kinds.secret, key);
        const present = secret && certificatesIn(secret);
        const wanted = renew(present);
        if (wanted === present) return present;
        try {
          await writeSecret(client, key, secret, wanted);
          return wanted;
        } catch (error) {
          if (!isConflict(error) && !isAlreadyExists(error)) throw error;
        }
      }
    },
  };
}

/** Returns undefined if a part is missing: a Helm chart may have created the Secret empty. */
function certificatesIn({ data = {} }: Secret): ServingCertificates | undefined {
  const [authorityCert, authorityKey, trusted, servingCert, servingKey, nextCert, nextKey] = Object.values(
    keys,
  ).map((key) => Buffer.from(data[key] ?? '', 'base64').toString('utf8'));
  if (!authorityCert || !authorityKey || !trusted || !servingCert || !servingKey) return undefined;
  return {
    authority: { cert: authorityCert, key: authorityKey },
    serving: { cert: servingCert, key: servingKey },
    trusted,
    ...(nextCert && nextKey && { next: { cert: nextCert, key: nextKey } }),
  };
}

async function writeSecret(
  client: KubeClient,
  key: ObjectKey,
  present: Secret | undefined,
  { authority, serving, trusted, next }: ServingCertificates,
): Promise<void> {
  const texts = {
    [keys.authorityCert]: authority.cert,
    [keys.authorityKey]: authority.key,
    [keys.trusted]: trusted,
    [keys.servingCert]: serving.cert,
    [keys.servingKey]: serving.key,
    ...(next && { [keys.nextCert]: next.cert, [keys.nextKey]: next.key }),
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, 'utf8').toString('base64')]),
  );
  if (present === undefined) {
    await client.create(kinds.secret, { metadata: { ...key }, data });
    return;
  }
  const { [keys.nextCert]: _, [keys.nextKey]: __, ...others } = present.data ?? {};
  await client.replace(kinds.secret, { ...present, data: { ...others, ...data } });
}
