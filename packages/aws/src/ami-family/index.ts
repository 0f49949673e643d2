export { type AmiFamily, type AmiFamilyName, amiFamilies, amiFamilyOf } from './ami-family.ts';
