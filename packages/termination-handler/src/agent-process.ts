import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { MetricRegistry, measureProcess } from '@karpenter/kube/metrics';
import { type Clock, CoreEventRecorder, type EventRecorder } from '@karpenter/kube/runtime';
import { Agent } from './agent/index.ts';
import { type AgentEndpoints, startAgentEndpoints } from './endpoints/index.ts';
import { type InstanceIdentity, MetadataClient, readInstanceIdentity } from './imds/index.ts';
import { eventAnnotations } from './kubernetes-events/index.ts';
import { AgentLog, errorField } from './log/index.ts';
import { hostUptime } from './node/index.ts';
import type { AgentSettings } from './settings/index.ts';
import { prepareWebhook } from './webhook/index.ts';

type AgentEnvironment = Readonly<Record<string, string | undefined>>;

/** The process around the agent. */
export interface AgentHost {
  readonly env: AgentEnvironment;
  readonly clock: Clock;
  readonly random: () => number;
  readonly write: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called when the endpoints listen. */
  readonly onListening?: (endpoints: AgentEndpoints) => void;
  readonly version: string;
}

/** Unwritten Kubernetes events may hold up the end of the process this long. */
const flushTimeout = durationMs(5_000);

/** Runs the agent until the signal aborts; rejects if it cannot start or a monitor keeps failing. */
export async function runAgentProcess(
  settings: AgentSettings,
  notices: readonly string[],
  host: AgentHost,
): Promise<void> {
  const { clock, env, signal } = host;
  const log = agentLog(settings, host);
  for (const notice of notices) log.info(notice);
  const notify = await prepareWebhook(settings, clock);
  const registry = new MetricRegistry(clock);
  const stopMeasuring = measureProcess(registry);
  const endpoints = await startAgentEndpoints(settings, registry);
  host.onListening?.(endpoints);
  const metadata = new MetadataClient({
    url: settings.metadataUrl,
    tries: settings.metadataTries,
    clock,
    random: host.random,
  });
  let client: KubeClient | undefined;
  try {
    const identity = withRegion(await readInstanceIdentity(metadata, signal), settings.awsRegion);
    client = await connectClient(settings, env, host.version);
    const recorder = recorderFor(client, { settings, identity, clock, log });
    await new Agent({
      client,
      metadata,
      identity,
      clock,
      log,
      meters: registry,
      settings,
      uptime: () => hostUptime(settings.uptimeFromFile),
      ...(recorder !== undefined && { recorder }),
      ...(notify !== undefined && { notify }),
    }).run(signal);
    await flushed(recorder, clock);
  } finally {
    stopMeasuring();
    await endpoints.stop();
    await client?.close();
  }
}

function agentLog({ logLevel, jsonLogging }: AgentSettings, { clock, write }: AgentHost): AgentLog {
  const wanted = logLevel.toLowerCase();
  const level = wanted === 'debug' || wanted === 'error' ? wanted : 'info';
  return new AgentLog({ level, isJson: jsonLogging, now: () => clock.now(), write });
}

function withRegion(identity: InstanceIdentity, region: string): InstanceIdentity {
  return identity.region === '' ? { ...identity, region } : identity;
}

async function connectClient(
  settings: AgentSettings,
  env: AgentEnvironment,
  version: string,
): Promise<KubeClient> {
  const { kubernetesServiceHost: host, kubernetesServicePort: port } = settings;
  const address = {
    ...(host !== '' && { KUBERNETES_SERVICE_HOST: host }),
    ...(port !== '' && { KUBERNETES_SERVICE_PORT: port }),
  };
  return connect(await loadConfig({ env: { ...env, ...address } }), {
    userAgent: `aws-node-termination-handler/${version}`,
    qps: settings.kubeApiQps,
    burst: settings.kubeApiBurst,
  });
}

interface RecorderContext {
  readonly settings: AgentSettings;
  readonly identity: InstanceIdentity;
  readonly clock: Clock;
  readonly log: AgentLog;
}

function recorderFor(
  client: KubeClient,
  { settings, identity, clock, log }: RecorderContext,
): EventRecorder | undefined {
  if (!settings.emitKubernetesEvents) return undefined;
  return new CoreEventRecorder({
    client,
    clock,
    component: 'aws-node-termination-handler',
    annotations: eventAnnotations(identity, settings.kubernetesEventsExtraAnnotations),
    onError: (error) => log.error('cannot publish an event', errorField(error)),
  });
}

async function flushed(recorder: EventRecorder | undefined, clock: Clock): Promise<void> {
  const done = new AbortController();
  const written = recorder?.flush().finally(() => done.abort()) ?? Promise.resolve(done.abort());
  await Promise.race([written, clock.sleep(flushTimeout, done.signal)]);
}
