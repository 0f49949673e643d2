import { customResources } from '@karpenter/aws';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedVerdicts } from '../cluster/custom-resources/recorded-verdicts.ts';
import { realVerdict } from '../cluster/custom-resources/verdict.ts';

const recording = recordedVerdicts();

describe.skipIf(recording.length === 0)('recorded objects', () => {
  let server: ApiServer;
  let api: ConformanceApi;

  beforeAll(async () => {
    server = await startApiServer();
    api = new ConformanceApi(server, 'default');
    for (const { definition } of customResources) {
      const reply = await api.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        body: JSON.stringify(definition),
      });
      reply.expect(201);
    }
  });

  afterAll(async () => {
    api.close();
    await server.stop();
  });

  it.each(recording)('$name gets the recorded verdict from the embedded API server', async (recorded) => {
    const path = `${recorded.path}?dryRun=All&fieldValidation=Strict`;
    const { status, body } = await api.post(path, recorded.object);
    expect(realVerdict({ status, body })).toEqual(recorded.verdict);
  });
});
