import { CodedError } from '@karpenter/core/errors';
import { describe, expect, it } from 'vitest';
import type { AwsServices, CallOptions } from '../ports/index.ts';
import { fencedServices } from './fenced-services.ts';
import { portEffects } from './port-effects.ts';

const refusal = new CodedError('lease-lost', 'lost the lease');

/** Services that answer every call, and remember which was made with what. */
function recordedServices() {
  const calls: { readonly name: string; readonly options: CallOptions | undefined }[] = [];
  const port = (service: string) =>
    new Proxy(
      {},
      {
        get: (_, method) => async (_input: object, options?: CallOptions) => {
          calls.push({ name: `${service}.${String(method)}`, options });
          return {};
        },
      },
    );
  const services = Object.fromEntries(Object.keys(portEffects).map((service) => [service, port(service)]));
  return { calls, services: services as unknown as AwsServices };
}

const methods = Object.entries(portEffects).flatMap(([service, effects]) =>
  Object.entries(effects).map(([method, effect]) => ({ service, method, effect: String(effect) })),
);

function callOf(services: AwsServices, service: string, method: string): Promise<unknown> {
  const port: unknown = Reflect.get(services, service);
  const call: unknown = typeof port === 'object' && port !== null ? Reflect.get(port, method) : undefined;
  return typeof call === 'function' ? call({}) : Promise.reject(new Error(`no ${service}.${method}`));
}

describe('services behind a fence that refuses', () => {
  it.each(methods)('$service.$method is a $effect and treated so', async ({ service, method, effect }) => {
    const { calls, services } = recordedServices();
    const fenced = fencedServices(services, {
      check: () => {
        throw refusal;
      },
    });
    const outcome = await callOf(fenced, service, method).catch((error: unknown) => error);
    expect(calls.length).toBe(effect === 'read' ? 1 : 0);
    expect(outcome === refusal).toBe(effect === 'write');
  });

  it('counts as a write whatever is not named like a question', () => {
    const reads = methods.filter(({ effect }) => effect === 'read').map(({ method }) => method);
    expect(reads.filter((method) => !/^(describe|get|list)/.test(method))).toEqual([]);
    const writes = methods.filter(({ effect }) => effect === 'write').map(({ method }) => method);
    expect(writes.filter((method) => /^(describe|get|list)/.test(method))).toEqual([]);
  });
});

describe('services behind a fence that is open', () => {
  it('hand the fence on, to be asked before each attempt', async () => {
    const { calls, services } = recordedServices();
    let checks = 0;
    const fence = {
      check: () => {
        checks += 1;
      },
    };
    await fencedServices(services, fence).ec2.terminateInstances({ InstanceIds: [] }, { retries: 'none' });
    expect(checks).toBe(1);
    calls[0]?.options?.beforeAttempt?.();
    expect(checks).toBe(2);
    expect(calls[0]?.options?.retries).toBe('none');
  });
});
