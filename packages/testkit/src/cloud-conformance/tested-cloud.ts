import assert from 'node:assert/strict';
import {
  labelKeys,
  type NodeClaim,
  type NodePool,
  type RequirementField,
  seconds,
} from '@karpenter/core/api';
import { CodedError, type ErrorCode } from '@karpenter/core/errors';
import { launchedClaim } from '@karpenter/core/lifecycle';
import type { CloudInstance, CloudProvider, InstanceType, Termination } from '@karpenter/core/ports';
import type { QuantityTexts } from '@karpenter/core/values';
import type { VirtualClock } from '../clock/index.ts';

/** A cloud provider, and the events that cases cause in the cloud behind it. */
export interface ProviderUnderTest {
  readonly provider: CloudProvider;
  /** Of the provider and of its cloud. */
  readonly clock: VirtualClock;
  /** Its NodeClass exists and is ready, and at least two of its instance types are available. */
  readonly nodePool: NodePool;
  /** The provider of the next process on the same cloud. The NodeClaims are stored when it starts. */
  restart(stored: readonly NodeClaim[]): Promise<CloudProvider>;
  /** No offering can be launched from now on; the provider may find out by a failed launch. */
  runOutOfCapacity(): Promise<void>;
  removeNodeClass(): void;
  /** Changes the NodeClass, so that instances launched before differ from it. */
  changeNodeClass(): Promise<void>;
}

export interface NewClaim {
  readonly requirements?: readonly RequirementField[];
  readonly requests?: QuantityTexts;
}

interface LaunchedClaim {
  /** With the provider ID. */
  readonly claim: NodeClaim;
  readonly instance: CloudInstance;
}

/** Calls may take time on the clock of the cloud. */
const step = 50;
const terminationPoll = seconds(30);
const maxPolls = 60;
const smallRequests: QuantityTexts = { cpu: '1', memory: '1Gi', pods: '5' };

/** A cloud provider as a case sees it: its methods, and the calls that most cases start with. */
export class TestedCloud {
  readonly subject: ProviderUnderTest;
  #claims = 0;

  constructor(subject: ProviderUnderTest) {
    this.subject = subject;
  }

  get provider(): CloudProvider {
    return this.subject.provider;
  }

  get now(): number {
    return this.subject.clock.now();
  }

  /** Advances the clock until the call returns. */
  settle<T>(call: Promise<T>): Promise<T> {
    return this.subject.clock.advanceUntil(call, step);
  }

  /** A new NodeClaim of the pool, as it is stored before its launch. */
  claim(parts: NewClaim = {}): NodeClaim {
    const claim = this.claimWithoutAnnotations(parts);
    return annotated(claim, this.provider.launchAnnotations?.(claim) ?? {});
  }

  claimWithoutAnnotations({ requirements = [], requests = smallRequests }: NewClaim = {}): NodeClaim {
    this.#claims += 1;
    const { metadata, spec } = this.subject.nodePool;
    const name = `claim-${this.#claims}`;
    return {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: {
        name,
        uid: `uid-${name}`,
        creationTimestamp: new Date(this.now).toISOString(),
        labels: { [labelKeys.nodePool]: metadata.name },
      },
      spec: {
        requirements: [...requirements],
        nodeClassRef: spec.template.spec.nodeClassRef,
        expireAfter: 'Never',
        resources: { requests },
      },
    };
  }

  create(claim: NodeClaim, provider = this.provider): Promise<CloudInstance> {
    return this.settle(provider.create(claim));
  }

  async launch(parts: NewClaim = {}): Promise<LaunchedClaim> {
    const claim = this.claim(parts);
    const instance = await this.create(claim);
    return { claim: launchedClaim(claim, instance), instance };
  }

  delete(claim: NodeClaim): Promise<Termination> {
    return this.settle(this.provider.delete(claim));
  }

  /** Repeats the call as controllers do. */
  async deleteUntilGone(claim: NodeClaim): Promise<void> {
    for (let poll = 0; poll < maxPolls; poll += 1) {
      if ((await this.delete(claim)) === 'gone') return;
      await this.subject.clock.advance(terminationPoll);
    }
    assert.fail(`the instance of ${claim.metadata.name} is gone after ${maxPolls} calls`);
  }

  get(providerId: string): Promise<CloudInstance | undefined> {
    return this.settle(this.provider.get(providerId));
  }

  list(provider = this.provider): Promise<readonly CloudInstance[]> {
    return this.settle(provider.list());
  }

  async listed(providerId: string): Promise<CloudInstance | undefined> {
    return (await this.list()).find((each) => each.providerId === providerId);
  }

  instanceTypes(): Promise<readonly InstanceType[]> {
    return this.settle(this.provider.instanceTypes(this.subject.nodePool));
  }

  driftReason(claim: NodeClaim): Promise<string | undefined> {
    return this.settle(this.provider.driftReason(claim));
  }

  async restart(...stored: readonly NodeClaim[]): Promise<CloudProvider> {
    return this.subject.restart(stored);
  }
}

export function annotated(claim: NodeClaim, annotations: Readonly<Record<string, string>>): NodeClaim {
  const { metadata } = claim;
  return { ...claim, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}

export function withProviderId(claim: NodeClaim, providerID: string): NodeClaim {
  return { ...claim, status: { ...claim.status, providerID } };
}

/** A provider ID of the same form, which no instance has. */
export function unknownProviderId({ providerId }: CloudInstance): string {
  return `${providerId.slice(0, -1)}${providerId.endsWith('0') ? '1' : '0'}`;
}

export function present<T>(value: T | undefined, what: string): T {
  assert.ok(value !== undefined, `there is ${what}`);
  return value;
}

/** Expects the call to reject with one of the codes. */
export async function rejected(call: Promise<unknown>, ...codes: readonly ErrorCode[]): Promise<void> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const code = error instanceof CodedError ? error.code : undefined;
  assert.ok(
    code !== undefined && codes.includes(code),
    `the call rejects with ${codes.join(' or ')}, not with ${String(error)}`,
  );
}
