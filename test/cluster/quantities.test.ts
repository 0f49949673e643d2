import { equalQuantities, formatQuantity, parseQuantity } from '@karpenter/core/values';
import { describe, expect, it } from 'vitest';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();

/**
 * Quantities of every form: no suffix, each suffix, exponents, fractions, small and large, canonical and not.
 */
const texts = [
  ...[
    '0',
    '1',
    '10',
    '999',
    '1000',
    '1024',
    '100000',
    '123456789',
    '0.5',
    '1.5',
    '0.001',
    '0.1',
    '00012',
    '010',
  ],
  ...['1n', '1000n', '1500n', '1u', '1500u', '100m', '1000m', '1500m', '2000m', '0.5m', '0.0000000001'],
  ...['1k', '1000k', '1.5k', '1M', '2500M', '1G', '1T', '1P', '1E', '0.25G', '9E'],
  ...[
    '1Ki',
    '1024Ki',
    '1.5Gi',
    '0.5Mi',
    '1Mi',
    '1536Mi',
    '100Gi',
    '1Ti',
    '1Pi',
    '1Ei',
    '0.1Gi',
    '0.5Ki',
    '1.1Ti',
  ],
  ...['1e3', '1e6', '12e6', '100e-3', '1500e3', '0e3', '1e-9', '123e4', '1E+3', '1E-3'],
];

/**
 * Kubernetes keeps the original text of these, because a fast path parses them without computing the
 * canonical form; ours is always canonical. The values are equal.
 */
const keptAsWritten = ['00012', '010', '1E+3', '1E-3'];

/** The server returns sizes of volumes as it stores them, without the rounding of resource requests. */
async function writtenBack(): Promise<readonly string[]> {
  const volumes = texts.map((text, index) => ({ name: `v${index}`, emptyDir: { sizeLimit: text } }));
  const { status, body } = await plane.request('POST', '/api/v1/namespaces/default/pods?dryRun=All', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'quantities' },
    spec: { containers: [{ name: 'c', image: 'i' }], volumes },
  });
  expect(status).toBe(201);
  const stored = body as {
    readonly spec: { readonly volumes: readonly { emptyDir?: { sizeLimit: string } }[] };
  };
  return stored.spec.volumes.flatMap(({ emptyDir }) => (emptyDir === undefined ? [] : [emptyDir.sizeLimit]));
}

describe('quantities on a real API server', () => {
  it('are returned in our canonical form', async () => {
    const written = await writtenBack();
    const canonical = texts
      .map((text, index) => [text, written[index]])
      .filter(([text = '']) => !keptAsWritten.includes(text));
    expect(canonical.length).toBeGreaterThanOrEqual(50);
    expect(canonical.map(([text = '']) => [text, formatQuantity(parseQuantity(text))])).toEqual(canonical);
  });

  it('that keep their original text have our values', async () => {
    const written = await writtenBack();
    for (const text of keptAsWritten) {
      expect(written[texts.indexOf(text)]).toBe(text);
      expect(equalQuantities(parseQuantity(text), parseQuantity(formatQuantity(parseQuantity(text))))).toBe(
        true,
      );
    }
  });
});
