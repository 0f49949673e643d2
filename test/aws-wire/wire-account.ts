import { randomBytes } from 'node:crypto';
import { awsServices } from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import { Account, type NewGroup } from '@karpenter/testkit/aws-conformance';
import { inject } from 'vitest';
import { type Fault, startFaultProxy, type WireRequest } from './fault-proxy.ts';
import { clusterName, createMotoGroup, credentials, region, version } from './moto-account.ts';
import { recommendedImages } from './recommended-images.ts';

/** moto's account as the provider reaches it in production: through the SDK, over HTTP. */
export interface WireAccount {
  readonly aws: AwsServices;
  /** Uses new names on each call. */
  account(): Account;
  readonly requests: readonly WireRequest[];
  /** How often an operation was requested. */
  sent(operation: string): number;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly faults?: readonly Fault[];
  readonly requestTimeoutMs?: number;
}

export async function openWireAccount({
  faults = [],
  requestTimeoutMs,
}: WireOptions = {}): Promise<WireAccount> {
  const { url, requests, close } = await startFaultProxy(inject('motoUrl'), [...faults, recommendedImages]);
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey;
  const services = awsServices({
    region,
    version: '1.2.3',
    endpoint: url,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  // The time of moto cannot be advanced, but it completes immediately what takes time in AWS.
  const settle = async () => undefined;
  const createGroup = (group: NewGroup) => createMotoGroup(url, group);
  const cloud = { createGroup, services, clusterName, region, version, settle };
  return {
    aws: services,
    account: () => new Account(cloud, `case-${randomBytes(4).toString('hex')}`),
    requests,
    sent: (operation) => requests.filter((each) => each.operation === operation).length,
    close,
  };
}
