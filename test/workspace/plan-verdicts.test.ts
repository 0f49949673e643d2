import { scenarioSimulation } from '@karpenter/cli';
import { type Plan, plan } from '@karpenter/core/scheduling';
import type { JsonObject } from '@karpenter/core/schema';
import { checkPlan } from '@karpenter/testkit/plan-checker';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

/** A small random cluster, and the decisions of Karpenter 1.14.1 for it. */
interface Verdict {
  readonly name: string;
  readonly scenario: JsonObject;
  readonly expected: {
    readonly failedByGroup: Readonly<Record<string, number>>;
    readonly lowestHourlyPrice: number;
    readonly messageByGroup: Readonly<Record<string, string>>;
  };
}

const verdicts = recordedLines<Verdict>('bench/verdicts.jsonl', 'KARPENTER_PLAN_VERDICTS');

/**
 * The recordings tried the NodePools in file order; we try them by weight, then by name (ADR 0008). A test
 * below shows that in file order the same clusters come out as recorded.
 */
const poolOrder = 'the pools were tried in the order of the file, not by weight and name';
/**
 * Legal, as checked below: pods with affinity find more pods to follow, or more room, than Karpenter's
 * packing left.
 */
const companions = (pods: string) => `${pods} more find companions that Karpenter's filling kept from them`;
const tie = 'of domains that are equally full Karpenter takes whichever its map gives first';
const twoTies = 'where nobody is yet to be followed Karpenter takes a first domain twice, and so one or two';
const firstFlaw = 'two constraints fail, and Karpenter names whichever its map gives first';

/** Clusters in which different pods find a place; ADR 0008 has the reasons. */
const otherPods: Readonly<Record<string, string>> = {
  'v-16': companions('one pod'),
  'v-19': poolOrder,
  'v-83': companions('two pods'),
  'v-91': 'two pods more find an architecture, which Karpenter had narrowed by the way it filled nodes',
  'v-142': poolOrder,
  'v-161': poolOrder,
};

/** Clusters in which the nodes cost more. */
const higherPrices: Readonly<Record<string, string>> = {
  'v-54': poolOrder,
  'v-138': poolOrder,
  'v-143': poolOrder,
  'v-161': poolOrder,
  'v-167': poolOrder,
};

/** Clusters with a different message, except those in which different pods find a place. */
const otherMessages: Readonly<Record<string, string>> = {
  'v-8': firstFlaw,
  'v-22': tie,
  'v-31': twoTies,
  'v-43': poolOrder,
  'v-48': `group 1 is on spot with a pod of group 3, which is free to be on either: ${tie}`,
  'v-51': tie,
  'v-76': twoTies,
  'v-120': firstFlaw,
  'v-167':
    'a spread counts on nodes that any required term allows, also one that was given up, as kube-scheduler does',
  'v-170': 'group 4 joins the capacity type that nodes have settled on, and so leaves the other free',
  'v-200': `group 0 is with a pod of group 3, which is free to be in any zone: ${tie}`,
};

/**
 * When Karpenter relaxes a pod (drops a required term, or adds a toleration of soft taints), it counts the
 * pod's spread again without the pods of the same plan, and so places more than the spread allows.
 */
const countedAgain =
  'Karpenter counts the spread of a relaxed pod again, without the pods it has just placed';
const filledFirst = 'Karpenter fills a node of a lighter pool before it decides on the zone of the next pod';

/** Clusters of the second recording in which different pods find a place; ADR 0057 has the reasons. */
const otherPodsOfSecond: Readonly<Record<string, string>> = {
  'w-36': countedAgain,
  'w-72': companions('one pod'),
  'w-105': companions('two pods'),
  'w-156': companions('one pod'),
  'w-213': countedAgain,
  'w-348': companions('two pods'),
  'w-350': countedAgain,
  'w-367': filledFirst,
  'w-430': countedAgain,
  'w-491': 'a node that may still be of both capacity types counts in both, and other pods settle it later',
  'w-503': countedAgain,
  'w-511': countedAgain,
  'w-550': companions('five pods'),
  'w-600': companions('five pods'),
};

const noMoney = 1e-9;

const secondVerdicts = recordedLines<Verdict>(
  'bench/verdicts-differing.jsonl',
  'KARPENTER_DIFFERING_VERDICTS',
);

function simulationOf({ name, scenario }: Verdict) {
  return scenarioSimulation(scenario, { file: name, document: 1 }, { policies: {}, clock: { now: () => 0 } });
}

function planned(verdict: Verdict): Plan {
  const { snapshot, options } = simulationOf(verdict);
  return plan(snapshot, options);
}

function plannedInFileOrder(verdict: Verdict): Plan {
  const { snapshot, options } = simulationOf(verdict);
  const nodePools = snapshot.nodePools.map((pool, index) => ({
    ...pool,
    spec: { ...pool.spec, weight: 100 - index },
  }));
  return plan({ ...snapshot, nodePools }, options);
}

const groupOf = (uid: string) => uid.split('-')[1] ?? '';

function failedByGroup({ rejections }: Plan): Record<string, number> {
  const failed: Record<string, number> = {};
  for (const { pod } of rejections) failed[groupOf(pod)] = (failed[groupOf(pod)] ?? 0) + 1;
  return failed;
}

/** Numbers of new hosts are never reused, and their count depends on the planner. */
function withoutNewHosts(message: string): string {
  return message
    .replaceAll(/hostname-placeholder-\d+: \d+(, )?/g, '')
    .replaceAll(/hostname-placeholder-\d+/g, 'new host');
}

function messages({ rejections }: Plan): Record<string, string> {
  return Object.fromEntries(
    rejections.map(({ pod, message }) => [groupOf(pod), withoutNewHosts(message)] as const),
  );
}

function expectedMessages({ expected }: Verdict): Record<string, string> {
  const entries = Object.entries(expected.messageByGroup);
  return Object.fromEntries(entries.map(([group, message]) => [group, withoutNewHosts(message)]));
}

function priceOf({ newNodes }: Plan): number {
  return newNodes.reduce((sum, { price }) => sum + price, 0);
}

const cases = verdicts.map((verdict) => ({
  name: verdict.name,
  verdict,
  made: planned(verdict),
}));

describe.skipIf(verdicts.length === 0)('on recorded clusters', () => {
  it.each(cases.filter(({ name }) => !(name in otherPods)))(
    '$name places the pods that Karpenter places',
    ({ verdict, made }) => {
      expect(failedByGroup(made)).toEqual(verdict.expected.failedByGroup);
    },
  );

  it.each(cases.filter(({ name }) => !(name in higherPrices)))(
    '$name costs no more than the cheapest plan of Karpenter',
    ({ verdict, made }) => {
      expect(priceOf(made)).toBeLessThanOrEqual(verdict.expected.lowestHourlyPrice + noMoney);
    },
  );

  it.each(cases.filter(({ name }) => !(name in otherMessages) && !(name in otherPods)))(
    '$name rejects pods with the reasons of Karpenter',
    ({ verdict, made }) => {
      expect(messages(made)).toEqual(expectedMessages(verdict));
    },
  );

  it.each(cases.filter(({ name }) => name in otherPods))(
    '$name places other pods for a known reason, and violates no rule',
    ({ verdict, made }) => {
      expect(failedByGroup(made)).not.toEqual(verdict.expected.failedByGroup);
      const { snapshot, options } = simulationOf(verdict);
      expect(checkPlan(snapshot, made, options)).toEqual([]);
    },
  );

  it.each(cases.filter(({ name }) => name in higherPrices))(
    '$name costs more for a known reason',
    ({ verdict, made }) => {
      expect(priceOf(made)).toBeGreaterThan(verdict.expected.lowestHourlyPrice);
    },
  );

  it.each(cases.filter(({ name }) => name in otherMessages))(
    '$name rejects pods with other reasons for a known cause',
    ({ verdict, made }) => {
      expect(messages(made)).not.toEqual(expectedMessages(verdict));
    },
  );

  it.each(cases.filter(({ name }) => otherPods[name] === poolOrder))(
    '$name places the pods that Karpenter places if pools are tried in the order of the file',
    ({ verdict }) => {
      expect(failedByGroup(plannedInFileOrder(verdict))).toEqual(verdict.expected.failedByGroup);
    },
  );

  it.each(cases.filter(({ name }) => higherPrices[name] === poolOrder))(
    '$name costs no more if pools are tried in the order of the file',
    ({ verdict }) => {
      const { lowestHourlyPrice } = verdict.expected;
      expect(priceOf(plannedInFileOrder(verdict))).toBeLessThanOrEqual(lowestHourlyPrice + noMoney);
    },
  );

  it.each(cases.filter(({ name }) => otherMessages[name] === poolOrder))(
    '$name rejects pods with the reasons of Karpenter if pools are tried in the order of the file',
    ({ verdict }) => {
      expect(messages(plannedInFileOrder(verdict))).toEqual(expectedMessages(verdict));
    },
  );
});

describe.skipIf(secondVerdicts.length === 0)('on recorded clusters in which decisions have differed', () => {
  const second = secondVerdicts.map((verdict) => ({ name: verdict.name, verdict, made: planned(verdict) }));

  it.each(second.filter(({ name }) => !(name in otherPodsOfSecond)))(
    '$name places the pods that Karpenter places',
    ({ verdict, made }) => {
      expect(failedByGroup(made)).toEqual(verdict.expected.failedByGroup);
    },
  );

  it.each(second.filter(({ name }) => name in otherPodsOfSecond))(
    '$name places other pods for a known reason, and violates no rule',
    ({ verdict, made }) => {
      expect(failedByGroup(made)).not.toEqual(verdict.expected.failedByGroup);
      const { snapshot, options } = simulationOf(verdict);
      expect(checkPlan(snapshot, made, options)).toEqual([]);
    },
  );
});
