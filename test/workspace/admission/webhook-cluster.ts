import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runControllerProcess, settingsWith, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { VirtualClock } from '@karpenter/testkit/clock';
import { freePort } from '@karpenter/testkit/control-plane';
import { expect, vi } from 'vitest';
import { collectingLog, controllerFlags, type LogLine } from '../../walkthroughs/world.ts';

export const webhookName = 'karpenter-webhook';
/** Where the embedded cluster's configuration has its objects. */
export const webhookNamespace = 'default';

/** An embedded cluster in which two replicas of the controllers serve the admission webhook. */
export interface WebhookCluster {
  readonly client: KubeClient;
  readonly clock: VirtualClock;
  readonly log: readonly LogLine[];
  /** Ports of the webhook, by replica. */
  readonly ports: readonly number[];
  /** The published CA bundle as PEM, of the validating configuration. */
  bundle(): Promise<string>;
  /** Creates both configurations without a bundle, or replaces them, and waits until they have one. */
  configure(): Promise<void>;
  /** Removes both configurations: nothing is asked of the webhook. */
  unconfigure(): Promise<void>;
  stopReplicas(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWebhookCluster(): Promise<WebhookCluster> {
  // TLS knows real time only, so the virtual clock begins there.
  const clock = new VirtualClock(Date.now());
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-admission-'));
  const cluster = await startEmbeddedCluster({ kubeconfig: join(directory, 'kubeconfig'), clock });
  const client = connect(cluster.config, { qps: 10_000, burst: 10_000 });
  const log: LogLine[] = [];
  const ended = new AbortController();
  const ports = [await freePort(), await freePort()];
  await createConfigurations(client, ports[0] ?? 0);
  const running = ports.map((port) =>
    runControllerProcess({
      config: cluster.config,
      settings: settingsWith({
        ...controllerFlags,
        'disable-leader-election': 'false',
        'webhook-port': String(port),
      }),
      account: { services: cluster.account.services, region: cluster.account.region },
      clock,
      log: collectingLog(log, () => clock.now()),
      signal: ended.signal,
      host: '127.0.0.1',
    }),
  );
  const bundle = async () => {
    const { webhooks } = await client.get(kinds.validatingWebhookConfiguration, { name: webhookName });
    return Buffer.from(webhooks?.[0]?.clientConfig.caBundle ?? '', 'base64').toString('utf8');
  };
  const hasBundle = () => eventually(clock, async () => (await bundle()).includes('CERTIFICATE'));
  const stopReplicas = async () => {
    ended.abort();
    await clock.advance(durationMs(1_000));
    await Promise.all(running);
  };
  await hasBundle();
  await eventually(clock, () => listening(log) === ports.length);
  return {
    client,
    clock,
    log,
    ports,
    bundle,
    async configure() {
      await createConfigurations(client, ports[0] ?? 0);
      await hasBundle();
    },
    unconfigure: () => deleteConfigurations(client),
    stopReplicas,
    async stop() {
      await stopReplicas();
      await client.close();
      await cluster.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function listening(log: readonly LogLine[]): number {
  return log.filter(({ message }) => message === 'serving the admission webhook').length;
}

/** Advances the clock step by step, so that requests of real time can end, until the probe is true. */
function eventually(clock: VirtualClock, probe: () => boolean | Promise<boolean>): Promise<void> {
  return vi.waitFor(
    async () => {
      await clock.advance(durationMs(2_000));
      expect(await probe()).toBe(true);
    },
    { timeout: 50_000, interval: 1 },
  );
}

async function createConfigurations(client: KubeClient, port: number): Promise<void> {
  const rule = (group: string, resource: string, ...operations: readonly string[]) => ({
    apiGroups: [group],
    apiVersions: ['v1'],
    resources: [resource],
    operations: [...operations],
  });
  const webhook = (path: string) => ({
    metadata: { name: webhookName },
    webhooks: [
      {
        name: `${path.slice(1)}.webhook.karpenter.sh`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        timeoutSeconds: 10,
        clientConfig: { url: `https://127.0.0.1:${port}${path}` },
        rules: [
          rule('karpenter.sh', 'nodepools', 'CREATE', 'UPDATE'),
          rule('karpenter.sh', 'nodeclaims', 'CREATE'),
          rule('karpenter.k8s.aws', 'ec2nodeclasses', 'CREATE', 'UPDATE'),
        ],
      },
    ],
  });
  await client.create(kinds.validatingWebhookConfiguration, webhook('/validate'));
  await client.create(kinds.mutatingWebhookConfiguration, webhook('/default'));
}

async function deleteConfigurations(client: KubeClient): Promise<void> {
  await client.delete(kinds.validatingWebhookConfiguration, { name: webhookName });
  await client.delete(kinds.mutatingWebhookConfiguration, { name: webhookName });
}
