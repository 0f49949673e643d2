import { readFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import { isRecord } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { AgentParts, Notification } from '../agent/index.ts';
import { monitorNames } from '../events/index.ts';
import type { AgentSettings } from '../settings/index.ts';
import { post } from './http-post.ts';
import { notificationData } from './notification-data.ts';
import { GoTemplate } from './template/index.ts';

const timeout = durationMs(5_000);

/**
 * Prepares the webhook of the settings; undefined if there is none. Renders the template once, so that a mistake in it
 * stops the start instead of the first notification.
 */
export async function prepareWebhook(settings: AgentSettings, clock: Clock): Promise<AgentParts['notify']> {
  const { webhookUrl, webhookProxy } = settings;
  if (webhookUrl === '') return undefined;
  const headers = headersOf(settings.webhookHeaders);
  const template = new GoTemplate(await templateText(settings));
  template.render(notificationData(sample));
  const target = {
    url: new URL(webhookUrl),
    proxy: webhookProxy === '' ? undefined : new URL(webhookProxy),
    headers,
  };
  return (notification) => send(target, template.render(notificationData(notification)), clock);
}

interface Target {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The error never shows the path of the address, which often is the secret of a webhook. */
async function send(target: Target, body: string, clock: Clock): Promise<void> {
  const done = new AbortController();
  const expired = new AbortController();
  void clock.sleep(timeout, done.signal).then(() => expired.abort(new Error('no answer within 5 s')));
  const failed = (why: string, cause?: unknown) =>
    new CodedError('webhook-failed', `cannot notify ${target.url.origin}: ${why}`, { cause });
  try {
    const status = await post({ ...target, body, signal: expired.signal });
    if (status < 200 || status > 299) throw failed(`it answered with status ${status}`);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const { reason } = expired.signal;
    const cause = reason instanceof Error && expired.signal.aborted && !done.signal.aborted ? reason : error;
    throw failed(cause instanceof Error ? cause.message : String(cause), error);
  } finally {
    done.abort();
  }
}

async function templateText({ webhookTemplate, webhookTemplateFile: file }: AgentSettings): Promise<string> {
  if (file === '') return webhookTemplate;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new CodedError(
      'unreadable-file',
      `cannot read the webhook template ${file}; check webhook-template-file`,
      {
        details: { file },
        cause,
      },
    );
  }
}

function headersOf(text: string): Readonly<Record<string, string>> {
  const parsed = parsedOrUndefined(text);
  if (isRecord(parsed))
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
  throw new CodedError(
    'invalid-setting',
    'webhook-headers: the value is not a JSON object such as {"Content-type":"application/json"}',
  );
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sample: Notification = {
  event: {
    id: 'spot-itn-sample',
    monitor: monitorNames.spot,
    description: 'sample',
    state: '',
    code: '',
    startTime: 0,
  },
  identity: {
    accountId: '123456789012',
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm5.large',
    instanceLifeCycle: 'spot',
    availabilityZone: 'us-west-2a',
    region: 'us-west-2',
    localHostname: 'ip-10-0-0-7',
    localIp: '10.0.0.7',
    publicHostname: '',
    publicIp: '',
  },
  node: { metadata: { name: 'node', labels: { 'kubernetes.io/hostname': 'node' } } },
  pods: ['pod'],
};
