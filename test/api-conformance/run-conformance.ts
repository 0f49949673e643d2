import { randomBytes } from 'node:crypto';
import {
  ConformanceApi,
  type ConformanceCase,
  type ServerUnderTest,
} from '@karpenter/testkit/api-conformance';
import { describe, it } from 'vitest';

/** Why a server cannot pass a case, by `area: title`. */
export type Exceptions = Readonly<Record<string, string>>;

/** Registers the suite for one server; a case with an exception must fail, or the exception is out of date. */
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
    await settled(api);
    await run(api);
  } finally {
    await api.delete(`${namespaces}/${api.namespace}`);
    api.close();
  }
}

/** Every namespace is given certificates a little later than it appears; a case must not see them come. */
async function settled(api: ConformanceApi): Promise<void> {
  const watch = await api.watch(api.path('configmaps'), 'fieldSelector=metadata.name%3Dkube-root-ca.crt');
  await watch.next();
  watch.close();
}
