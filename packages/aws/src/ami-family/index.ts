/**
 * The AMI families (AL2023, Bottlerocket, Windows and so on) and how they differ. Pure. Start with
 * `ami-family.ts`; `default-volumes.ts` has their block devices.
 */

export { type AmiFamily, type AmiFamilyName, amiFamilies, amiFamilyOf } from './ami-family.ts';
export { blockDevicesOf } from './default-volumes.ts';
