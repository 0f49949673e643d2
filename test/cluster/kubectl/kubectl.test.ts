import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningCluster, startEmbedded } from '../../clients/running-clusters.ts';
import { sharedControlPlane } from '../shared-control-plane.ts';
import { prepareNamespace } from './prepared-namespace.ts';
import { readingScenarios } from './scenarios-reading.ts';
import { writingScenarios } from './scenarios-writing.ts';
import { transcriptOf } from './transcript.ts';

const real = sharedControlPlane();
let embedded: RunningCluster;

beforeAll(async () => {
  embedded = await startEmbedded();
});

afterAll(() => embedded.stop());

describe('kubectl on the embedded server does what it does on a real one:', () => {
  it.each([...writingScenarios, ...readingScenarios])('$title', async (scenario) => {
    const namespace = `kubectl-${randomBytes(4).toString('hex')}`;
    for (const plane of [real, embedded]) await prepareNamespace(plane, namespace);
    const theirs = await transcriptOf(real, namespace, scenario);
    const ours = await transcriptOf(embedded, namespace, scenario);
    expect(ours).toEqual(theirs);
  });
});

describe('kubectl get --watch', () => {
  it.each([
    ['a real server', () => real],
    ['the embedded server', () => embedded],
  ])('shows changes as they come on %s', async (_, plane) => {
    const namespace = `kubectl-${randomBytes(4).toString('hex')}`;
    await prepareNamespace(plane(), namespace);
    const place = `--namespace=${namespace}`;
    const { binary, kubeconfigPath } = plane();
    const args = ['kubectl', 'get', 'configmap', place, '--watch', '--output-watch-events', '--no-headers'];
    const watching = spawn(binary, args, { env: { KUBECONFIG: kubeconfigPath, HOME: tmpdir() } });
    onTestFinished(() => void watching.kill());
    let shown = '';
    watching.stdout.on('data', (chunk) => {
      shown += String(chunk);
    });
    const events = () => shown.match(/[A-Z]+ +[\w.-]+/g)?.map((line) => line.replace(/ +/, ' '));
    await expect.poll(events, { timeout: 20_000 }).toEqual(['ADDED kube-root-ca.crt']);

    await plane().kubectl(['create', 'configmap', 'one', place]);
    await plane().kubectl(['label', 'configmap', 'one', 'a=b', place]);
    await plane().kubectl(['delete', 'configmap', 'one', place]);

    await expect
      .poll(events, { timeout: 20_000 })
      .toEqual(['ADDED kube-root-ca.crt', 'ADDED one', 'MODIFIED one', 'DELETED one']);
  });
});
