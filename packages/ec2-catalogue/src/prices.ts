import { shapes } from './expansion/shapes.ts';

/** Dollars per hour for Linux in us-east-1; undefined for what the price list does not have. */
export function onDemandPrice(instanceType: string): number | undefined {
  return shapes().get(instanceType)?.price;
}
