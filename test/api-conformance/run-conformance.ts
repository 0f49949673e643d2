import { randomBytes } from 'node:crypto';
import {
  ConformanceApi,
  type ConformanceCase,
  type ServerUnderTest,
} from '@karpenter/testkit/api-conformance';
import { describe, it } from 'vitest';

/** Reasons why a server cannot pass a case, by `area: title`. */
export type Exceptions = Readonly<Record<string, string>>;

/**
 * Registers the conformance suite for one server. A case with an exception must fail; if it passes, the
 * exception is out of date.
 */
export function runConformance(
  cases: readonly ConformanceCase[],
  server: () => ServerUnderTest,
  exceptions: Exceptions = {},
): void {
  for (const area of new Set(cases.map((each) => each.area))) {
    describe(area, () => {
      for (const each of cases.filter((candidate) => candidate.area === area)) {
        const register = exceptions[`${area}: ${each.title}`] === undefined ? it : it.fails;
        register.concurrent(each.title, () => inOwnNamespace(server(), each));
      }
    });
  }
}

async function inOwnNamespace(server: ServerUnderTest, { run }: ConformanceCase): Promise<void> {
  const api = new ConformanceApi(server, `conformance-${randomBytes(5).toString('hex')}`);
  const namespaces = '/api/v1/namespaces';
  const metadata = { name: api.namespace };
  (await api.post(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })).expect(201);
  try {
    await waitForRootCertificate(api);
    await run(api);
  } finally {
    await api.delete(`${namespaces}/${api.namespace}`);
    api.close();
  }
}

/**
 * Waits for the ConfigMap that every namespace receives shortly after its creation: a case must not see it
 * appear.
 */
async function waitForRootCertificate(api: ConformanceApi): Promise<void> {
  const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Dkube-root-ca.crt');
  await watch.next();
  watch.close();
}
