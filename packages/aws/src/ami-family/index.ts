/**
 * The AMI families (AL2023, Bottlerocket, Windows and so on) and how they differ. Pure.
 */

export { type AmiFamily, type AmiFamilyName, amiFamilies, amiFamilyOf } from './ami-family.ts';
export { blockDevicesOf } from './default-volumes.ts';
