import { shapes } from './expansion/shapes.ts';

/** Returns dollars per hour for Linux in us-east-1; undefined if the price list lacks the type. */
export function onDemandPrice(instanceType: string): number | undefined {
  return shapes().get(instanceType)?.price;
}
