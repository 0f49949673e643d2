import { createPrivateKey, X509Certificate } from 'node:crypto';
import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { CertificateKeeper, type KeeperOptions } from './certificate-keeper.ts';
import { type CertificateStore, memoryStore } from './certificate-store.ts';
import type { ServingCertificates } from './serving-certificate.ts';

const minute = 60_000;
const hour = 60 * minute;
const names = ['karpenter.kube-system.svc'];

/** What callers verify with: the bundle that was published last. */
class Callers {
  bundle = '';
  isBroken = false;

  readonly publish = async (caBundle: string) => {
    if (this.isBroken) throw new Error('no permission');
    const pem = Buffer.from(caBundle, 'base64').toString('utf8');
    if (pem === this.bundle) return 'unchanged' as const;
    this.bundle = pem;
    return 'written' as const;
  };

  /** As a TLS client does, at the time of the virtual clock. */
  accept({ serving }: ServingCertificates, now: number, bundle = this.bundle): boolean {
    return now < this.#acceptedUntil(serving, bundle);
  }

  readonly #known = new Map<string, number>();

  #acceptedUntil(serving: ServingCertificates['serving'], bundle: string): number {
    const id = `${serving.cert}${bundle}`;
    const until = this.#known.get(id) ?? acceptedUntil(serving, bundle);
    this.#known.set(id, until);
    return until;
  }
}

/** When the chain expires; never accepted if it is none. */
function acceptedUntil({ cert, key }: ServingCertificates['serving'], bundle: string): number {
  const leaf = new X509Certificate(cert);
  const isServer =
    leaf.checkPrivateKey(createPrivateKey(key)) && leaf.checkHost(names[0] ?? '') !== undefined;
  const issuer = authoritiesIn(bundle).find((each) => leaf.checkIssued(each) && leaf.verify(each.publicKey));
  if (!isServer || issuer === undefined) return 0;
  return Math.min(Date.parse(leaf.validTo), Date.parse(issuer.validTo));
}

function authoritiesIn(bundle: string): readonly X509Certificate[] {
  return (bundle.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
}

function setUp(options: Partial<KeeperOptions> = {}, store: CertificateStore = memoryStore()) {
  const clock = new VirtualClock();
  const callers = new Callers();
  const errors: unknown[] = [];
  const keeper = () =>
    new CertificateKeeper({
      names,
      authorityLasts: durationMs(72 * hour),
      servingLasts: durationMs(24 * hour),
      store,
      clock,
      publish: callers.publish,
      onError: (error) => errors.push(error),
      ...options,
    });
  return { clock, callers, errors, keeper };
}

describe('certificates that are rotated', () => {
  it('are accepted at every instant by callers with the published bundle, even one that is a minute old', async () => {
    const lasts = { authorityLasts: durationMs(90 * minute), servingLasts: durationMs(30 * minute) };
    const { clock, callers, keeper } = setUp(lasts);
    const replicas = [keeper(), keeper()];
    const served = await Promise.all(replicas.map((replica) => replica.sync()));
    const [leaves, authorities] = [new Set<string>(), new Set<string>()];
    let lastMinute = [callers.bundle];
    for (let tick = 0; tick < 6 * 60 * 2; tick += 1) {
      await clock.leap(minute / 2);
      const replica = tick % 2;
      const before = callers.bundle;
      const synced = await replicas[replica]?.sync();
      if (synced !== undefined) served[replica] = synced;
      lastMinute = [before, callers.bundle, ...lastMinute].slice(0, 4);
      for (const certificates of served) {
        leaves.add(certificates.serving.cert);
        authorities.add(certificates.authority.cert);
        if (!lastMinute.every((bundle) => callers.accept(certificates, clock.now(), bundle)))
          expect.fail(`refused after ${tick} half minutes`);
      }
    }
    expect(authorities.size).toBeGreaterThanOrEqual(4);
    expect(leaves.size).toBeGreaterThan(authorities.size);
    expect(authoritiesIn(callers.bundle).length).toBeLessThanOrEqual(3);
  });

  it('wait for the bundle to be published before the next CA signs', async () => {
    const { clock, callers, errors, keeper } = setUp();
    const replica = keeper();
    const first = await replica.sync();
    callers.isBroken = true;
    await clock.leap(60 * hour);
    const announced = await replica.sync();
    expect(announced.next).toBeDefined();
    await clock.leap(hour);
    expect((await replica.sync()).authority).toBe(first.authority);
    expect(errors).toHaveLength(2);
    callers.isBroken = false;
    await replica.sync();
    await clock.leap(9 * minute);
    expect((await replica.sync()).authority).toBe(first.authority);
    await clock.leap(minute);
    const promoted = await replica.sync();
    expect(promoted.authority).toEqual(announced.next);
    expect(callers.accept(promoted, clock.now())).toBe(true);
    expect(callers.accept(first, clock.now() - 60 * hour)).toBe(true);
  });

  it('start again if the CA has expired while nothing ran', async () => {
    const { clock, callers, keeper } = setUp();
    const first = await keeper().sync();
    await clock.leap(100 * hour);
    const second = await keeper().sync();
    expect(second.authority).not.toEqual(first.authority);
    expect(callers.accept(second, clock.now())).toBe(true);
    expect(authoritiesIn(callers.bundle)).toHaveLength(1);
  });

  it('are issued again for names that the stored certificate lacks', async () => {
    const store = memoryStore();
    const { callers, clock, keeper } = setUp({ names: ['other.kube-system.svc'] }, store);
    const first = await keeper().sync();
    expect(callers.accept(first, clock.now())).toBe(false);
    const renamed = await setUp({ clock, publish: callers.publish }, store).keeper().sync();
    expect(renamed.authority).toEqual(first.authority);
    expect(callers.accept(renamed, clock.now())).toBe(true);
  });

  it.each([
    ['no PEM at all', (stored: ServingCertificates) => ({ ...stored, authority: { cert: 'x', key: 'y' } })],
    [
      'the key of another CA',
      (stored: ServingCertificates, other: ServingCertificates) => ({
        ...stored,
        authority: { ...stored.authority, key: other.authority.key },
      }),
    ],
    [
      'a certificate of another CA',
      (stored: ServingCertificates, other: ServingCertificates) => ({
        ...stored,
        serving: other.serving,
      }),
    ],
    [
      'a broken certificate',
      (stored: ServingCertificates) => ({
        ...stored,
        serving: { ...stored.serving, cert: 'x' },
      }),
    ],
    ['a broken next CA', (stored: ServingCertificates) => ({ ...stored, next: { cert: 'x', key: 'y' } })],
    ['an empty bundle', (stored: ServingCertificates) => ({ ...stored, trusted: '' })],
  ])('replace what is damaged in the store: %s', async (_, damage) => {
    const [store, otherStore] = [memoryStore(), memoryStore()];
    const { callers, clock, keeper } = setUp({}, store);
    const replica = keeper();
    const stored = await replica.sync();
    const other = await setUp({}, otherStore).keeper().sync();
    await store.update(() => damage(stored, other));
    const repaired = await replica.sync();
    expect(callers.accept(repaired, clock.now())).toBe(true);
    // A replica that has not noticed yet serves what it had.
    expect(callers.accept(stored, clock.now())).toBe(true);
  });
});
