import { goFunctions, type TemplateFunction } from './go-functions.ts';
import type { GoValue } from './go-value.ts';
import { sprigFunctions } from './sprig-functions.ts';

const functions: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries({ ...goFunctions, ...sprigFunctions }),
);

/** Every function that a template may call. */
export const functionNames: readonly string[] = [...functions.keys()].toSorted();

export function isFunctionName(name: string): boolean {
  return functions.has(name);
}

export function callFunction(name: string, args: readonly GoValue[]): GoValue {
  return functions.get(name)?.(...args) ?? null;
}
