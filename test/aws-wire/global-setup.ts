import type { TestProject } from 'vitest/node';
import { furnishAccount } from './moto-account.ts';
import { startMoto } from './moto-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    motoUrl: string;
  }
}

/** Starts one server for the whole tier; tests get its address with `inject('motoUrl')`. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startMoto();
  await furnishAccount(url);
  project.provide('motoUrl', url);
  return stop;
}
