import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { conformanceCases } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe } from 'vitest';
import { runConformance } from '../api-conformance/run-conformance.ts';

describe('the embedded API server', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer();
  });
  afterAll(() => server.stop());
  runConformance(conformanceCases, () => server);
});
