import { convertedDefinitions } from '@karpenter/aws/conversion';
import { errorFields } from '@karpenter/controllers';
import type { CoreSettings } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { type ClusterConfig, connect, type KubeClient } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import {
  allOf,
  configurationPublisher,
  definitionPublisher,
  secretStore,
  startWebhookServer,
  type WebhookServer,
  type WebhookServerOptions,
} from '@karpenter/kube/webhooks';
import { version } from '../version.ts';

interface WebhookSettingsRead extends Pick<CoreSettings, 'karpenterService'> {
  readonly webhookPort: number;
  readonly webhookName: string;
  readonly webhookConversion: boolean;
}

export interface AdmissionWebhookOptions extends Pick<WebhookServerOptions, 'admission' | 'conversion'> {
  readonly config: ClusterConfig;
  readonly settings: WebhookSettingsRead;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends it; requests in progress are answered. */
  readonly signal: AbortSignal;
  /** The address to listen on; all addresses when left out. */
  readonly host?: string | undefined;
}

const retryAfter = durationMs(60_000);

/**
 * Serves the webhook until the signal aborts, on every replica: the Service in front of them knows no leader.
 * A webhook that cannot start does not stop the controllers, and is retried. Its client has no lease fence: the
 * Secret, the configurations and the definitions are written with the version that was read, and every replica writes the same.
 */
export async function runAdmissionWebhook(options: AdmissionWebhookOptions): Promise<void> {
  const { config, settings, clock, signal } = options;
  if (settings.webhookPort === 0 || signal.aborted) return;
  const client = connect(config, { clock, userAgent: `karpenter/${version}` });
  try {
    const server = await started(options, client);
    if (server === undefined) return;
    await aborted(signal);
    await server.close();
  } finally {
    await client.close();
  }
}

/** Undefined if the signal aborts before the server could start. */
async function started(
  options: AdmissionWebhookOptions,
  client: KubeClient,
): Promise<WebhookServer | undefined> {
  const { clock, log, signal } = options;
  while (!signal.aborted) {
    try {
      const server = await startWebhookServer(serverOptions(options, client));
      log.info('serving the admission webhook', { port: server.port });
      return server;
    } catch (error) {
      log.error('admission webhook cannot start; the controllers run without it', errorFields(error));
      await clock.sleep(retryAfter, signal);
    }
  }
  return undefined;
}

function serverOptions(options: AdmissionWebhookOptions, client: KubeClient): WebhookServerOptions {
  const { config, settings, clock, log, host, admission = {}, conversion = {} } = options;
  const { namespace = 'default' } = config;
  const { webhookName: name, webhookPort: port, webhookConversion } = settings;
  const service = settings.karpenterService === '' ? 'karpenter' : settings.karpenterService;
  return {
    admission,
    conversion,
    port,
    ...(host !== undefined && { host }),
    names: [`${service}.${namespace}.svc`, ...(host === undefined ? [] : [host])],
    certificates: secretStore(client, { namespace, name }),
    publish: allOf([
      configurationPublisher(client, name),
      ...(webhookConversion
        ? [
            definitionPublisher(client, {
              names: convertedDefinitions,
              service: { namespace, name: service },
            }),
          ]
        : []),
    ]),
    clock,
    onError: (error) => log.error('admission webhook failed', errorFields(error)),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
