import type { ChosenOffering, Narrowing, PassedPool, PlannedNode } from '@karpenter/core/scheduling';

/** Why the planner chose the type of a node, as clauses that follow the name of the type. */
export function choiceText({ choice }: PlannedNode, sign = '$'): string {
  const { offering, tooSmall, bindingResources, alternatives, narrowings, passedOver } = choice;
  const [next] = alternatives;
  return [
    ...(offering.reservation === undefined ? [] : [`in capacity reservation ${offering.reservation}`]),
    tooSmall === undefined
      ? cheapest
      : `${priced(tooSmall, sign)} has too little ${bindingResources.join(' and ')}`,
    ...(next === undefined ? [] : [`next is ${priced(next, sign)}${surcharge(next.price, offering.price)}`]),
    ...narrowings.flatMap(narrowingText),
    ...passedOver.map(passedText),
  ].join('; ');
}

const cheapest = 'nothing cheaper is allowed';

function priced({ instanceType, capacityType, price }: ChosenOffering, sign: string): string {
  return `${[instanceType, capacityType].filter((word) => word !== undefined).join(' ')} at ${sign}${price.toFixed(4)}`;
}

/** Empty beside a reservation, whose price is close to zero: the percentage would be huge and meaningless. */
function surcharge(price: number, chosen: number): string {
  const percent = Math.round(100 * (price / chosen - 1));
  return Number.isFinite(percent) && percent < 1000 ? ` (+${percent} %)` : '';
}

/** Names who narrowed a requirement. Leaves out the NodePool itself, whose requirements the user can look up. */
function narrowingText({ key, by }: Narrowing): string[] {
  const others = by.filter((source) => source !== 'nodepool' && source !== 'reservation');
  return others.length === 0 ? [] : [`${key.split('/').at(-1)} by ${others.join(' and ')}`];
}

function passedText({ nodePool, message }: PassedPool): string {
  return `not nodepool ${nodePool}: ${message.split(', requirements=')[0]}`;
}
