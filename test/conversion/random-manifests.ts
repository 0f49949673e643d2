import type { Json, JsonObject } from '@karpenter/core/schema';

/** A small generator of numbers, the same for the same seed. */
export function randomSource(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Makes objects of the older versions as their API servers stored them: required fields set, defaults applied. */
export class RandomManifests {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomSource(seed);
  }

  nodePool(): JsonObject {
    return {
      apiVersion: 'karpenter.sh/v1beta1',
      kind: 'NodePool',
      metadata: this.#metadata('pool'),
      spec: {
        template: {
          ...this.#maybe('metadata', { labels: { team: this.#word() } }),
          spec: { ...this.#claimSpec() },
        },
        disruption: this.#disruption(),
        ...this.#maybe('limits', { cpu: '10' }),
        ...this.#maybe('weight', 1 + Math.floor(this.#random() * 100)),
      },
      ...this.#maybe('status', { resources: { cpu: '4' } }),
    };
  }

  nodeClaim(): JsonObject {
    return {
      apiVersion: 'karpenter.sh/v1beta1',
      kind: 'NodeClaim',
      metadata: this.#metadata('claim'),
      spec: { ...this.#claimSpec(), ...this.#maybe('resources', { requests: { cpu: '1' } }) },
    };
  }

  nodeClass(): JsonObject {
    const family = this.#one([
      'AL2',
      'AL2023',
      'Bottlerocket',
      'Ubuntu',
      'Windows2019',
      'Windows2022',
      'Custom',
    ]);
    return {
      apiVersion: 'karpenter.k8s.aws/v1beta1',
      kind: 'EC2NodeClass',
      metadata: this.#metadata('class'),
      spec: {
        amiFamily: family,
        ...(family === 'Custom'
          ? { amiSelectorTerms: [{ id: 'ami-1' }] }
          : this.#maybe('amiSelectorTerms', [{ name: this.#word() }])),
        subnetSelectorTerms: [{ id: 'subnet-1' }],
        securityGroupSelectorTerms: [{ tags: { a: this.#word() } }],
        role: this.#word(),
        ...this.#maybe('userData', 'echo'),
        ...this.#maybe('tags', { team: this.#word() }),
        ...this.#maybe('blockDeviceMappings', [{ deviceName: '/dev/sda1', ebs: { volumeSize: '1Gi' } }]),
        metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: this.#one([1, 2, 3]) },
      },
    };
  }

  provisioner(): JsonObject {
    return {
      apiVersion: 'karpenter.sh/v1alpha5',
      kind: 'Provisioner',
      metadata: this.#metadata('pool'),
      spec: {
        ...this.#maybe('labels', { team: this.#word() }),
        ...this.#maybe('requirements', this.#requirements()),
        ...this.#maybe('consolidation', { enabled: this.#random() < 0.5 }),
        ...this.#maybe('limits', { resources: { cpu: 10 } }),
        ...this.#maybe('kubeletConfiguration', {
          maxPods: this.#one([10, 20]),
          containerRuntime: 'containerd',
        }),
        ...this.#one<JsonObject>([{ providerRef: { name: 'class-a' } }, { provider: this.#templateSpec() }]),
        ...this.#maybe('ttlSecondsAfterEmpty', 30),
        ...this.#maybe('ttlSecondsUntilExpired', 3600),
      },
    };
  }

  nodeTemplate(): JsonObject {
    return {
      apiVersion: 'karpenter.k8s.aws/v1alpha1',
      kind: 'AWSNodeTemplate',
      metadata: this.#metadata('class'),
      spec: this.#templateSpec(),
    };
  }

  #templateSpec(): JsonObject {
    return {
      ...this.#maybe('amiFamily', this.#one(['AL2', 'Bottlerocket'])),
      subnetSelector: this.#one<JsonObject>([{ 'aws-ids': 'subnet-1,subnet-2' }, { Name: 'a,b', tier: 'x' }]),
      securityGroupSelector: { 'karpenter.sh/discovery': this.#word() },
      ...this.#maybe('instanceProfile', this.#word()),
      ...this.#maybe('amiSelector', { 'aws::name': 'a,b', 'aws::owners': 'self' }),
    };
  }

  #metadata(kind: string): JsonObject {
    return {
      name: `${kind}-${this.#one(['a', 'b'])}`,
      ...this.#maybe('annotations', { note: this.#word() }),
      ...this.#maybe('labels', { app: this.#word() }),
    };
  }

  #claimSpec(): JsonObject {
    return {
      requirements: this.#requirements(),
      nodeClassRef: this.#one<JsonObject>([
        { name: 'class-a' },
        { kind: 'EC2NodeClass', name: 'class-b' },
        { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'class-a' },
      ]),
      ...this.#maybe('kubelet', { maxPods: this.#one([10, 20]), clusterDNS: ['10.0.0.10'] }),
      ...this.#maybe('taints', [{ key: this.#word(), effect: 'NoSchedule' }]),
    };
  }

  #requirements(): readonly JsonObject[] {
    return [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: [this.#one(['spot', 'on-demand'])] },
    ];
  }

  #disruption(): JsonObject {
    return {
      ...this.#one<JsonObject>([
        { consolidationPolicy: 'WhenUnderutilized' },
        { consolidationPolicy: 'WhenUnderutilized', consolidateAfter: 'Never' },
        { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
        { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' },
      ]),
      expireAfter: this.#one(['720h', 'Never', '1h30m']),
      budgets: [{ nodes: this.#one(['10%', '0']) }],
    };
  }

  #maybe(name: string, value: Json): JsonObject {
    return this.#random() < 0.5 ? {} : { [name]: value };
  }

  #one<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }

  #word(): string {
    return this.#one(['alpha', 'beta', 'yes', '1', 'a: b', '# no comment', '{x}']);
  }
}
