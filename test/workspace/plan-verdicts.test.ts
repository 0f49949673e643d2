import { scenarioSimulation } from '@karpenter/cli';
import { type Plan, plan } from '@karpenter/core/scheduling';
import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

/** A small random cluster and what Karpenter 1.14.1 decided for it. */
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

/** The recordings asked the pools in the order of the file; here they are asked by weight, then by name. ADR 0008. */
const poolOrder = 'the pools were tried in the order of the file, not by weight and name';
/** Of several equally good domains Karpenter takes whichever its map gives first. */
const chance = 'of equally good domains another one was taken';
/** What counts where, and so which check fails first and with which numbers, follows from who went where before. */
const history = 'the pods before it were spread over domains in another way';

/** Clusters in which other pods find a place; ADR 0008 has the reasons at length. */
const otherPods: Readonly<Record<string, string>> = {
  'v-16': 'one pod more finds a host with companions',
  'v-19': poolOrder,
  'v-83': 'two pods more find a host with companions',
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

/** Clusters in which a message reads differently, those aside in which other pods find a place. */
const otherMessages: Readonly<Record<string, string>> = {
  'v-8': history,
  'v-22': chance,
  'v-31': history,
  'v-43': history,
  'v-48': chance,
  'v-51': chance,
  'v-76': history,
  'v-120': history,
  'v-167': poolOrder,
  'v-170': history,
  'v-177': chance,
  'v-200': history,
};

const noMoney = 1e-9;

function planned({ name, scenario }: Verdict): Plan {
  const { snapshot, options } = scenarioSimulation(
    scenario,
    { file: name, document: 1 },
    { policies: {}, now: 0 },
  );
  return plan(snapshot, options);
}

const groupOf = (uid: string) => uid.split('-')[1] ?? '';

function failedByGroup({ rejections }: Plan): Record<string, number> {
  const failed: Record<string, number> = {};
  for (const { pod } of rejections) failed[groupOf(pod)] = (failed[groupOf(pod)] ?? 0) + 1;
  return failed;
}

/** New hosts have numbers that never come again, and how many there are is for each planner to decide. */
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
    '$name costs no more than the best that Karpenter does',
    ({ verdict, made }) => {
      expect(priceOf(made)).toBeLessThanOrEqual(verdict.expected.lowestHourlyPrice + noMoney);
    },
  );

  it.each(cases.filter(({ name }) => !(name in otherMessages) && !(name in otherPods)))(
    '$name says why pods find no place as Karpenter does',
    ({ verdict, made }) => {
      expect(messages(made)).toEqual(expectedMessages(verdict));
    },
  );

  it.each(cases.filter(({ name }) => name in otherPods))(
    '$name places other pods for a known reason',
    ({ verdict, made }) => {
      expect(failedByGroup(made)).not.toEqual(verdict.expected.failedByGroup);
    },
  );

  it.each(cases.filter(({ name }) => name in higherPrices))(
    '$name costs more for a known reason',
    ({ verdict, made }) => {
      expect(priceOf(made)).toBeGreaterThan(verdict.expected.lowestHourlyPrice);
    },
  );

  it.each(cases.filter(({ name }) => name in otherMessages))(
    '$name says something else for a known reason',
    ({ verdict, made }) => {
      expect(messages(made)).not.toEqual(expectedMessages(verdict));
    },
  );
});
