import type { Controller } from './controller.ts';
import type { Singleton } from './controller-runner.ts';
import type { Source } from './source.ts';

/** A controller or singleton together with the sources that trigger it, as the manager starts it. */
export type Runnable =
  | { readonly controller: Controller; readonly sources: readonly Source[] }
  | { readonly singleton: Singleton; readonly sources?: readonly Source[] };

export function runnableName(runnable: Runnable): string {
  return 'controller' in runnable ? runnable.controller.name : runnable.singleton.name;
}
