import type { Controller } from './controller.ts';
import type { Singleton } from './controller-runner.ts';
import type { Source } from './source.ts';

/** Something to run until the process ends, and what makes it look. */
export type Runnable =
  | { readonly controller: Controller; readonly sources: readonly Source[] }
  | { readonly singleton: Singleton; readonly sources?: readonly Source[] };
