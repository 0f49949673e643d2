import { defineConfig } from 'vitest/config';

// Tests run from source: workspace packages export a `karpenter-source` condition beside their built files.
// Not `module`: what packages keep behind it is for bundlers, and Node cannot load the AWS SDK's.
const source = ['karpenter-source', 'node', 'import', 'default'];

interface TierOptions {
  readonly testTimeout: number;
  readonly globalSetup?: string;
  readonly execArgv?: string[];
}

/** One tier of tests; the tiers and what they need are in scripts/tiers.mjs. */
const tier = (name: string, include: readonly string[], options: TierOptions) => ({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: {
    name,
    include: [...include],
    isolate: false,
    // Node 20 now and then aborts natively. A process takes one test file with it, a thread the whole run.
    pool: 'forks' as const,
    // What a test needs may take as long to set up as the test itself.
    hookTimeout: options.testTimeout,
    ...options,
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './scripts/tally-reporter.mjs'],
    projects: [
      tier('unit', ['packages/*/src/**/*.test.ts', 'test/workspace/**/*.test.ts'], { testTimeout: 60_000 }),
      tier('cluster', ['test/cluster/**/*.test.ts'], {
        testTimeout: 60_000,
        globalSetup: 'test/cluster/global-setup.ts',
      }),
      // May collect garbage, to see what memory is in use.
      tier('soak', ['test/soak/**/*.test.ts'], {
        testTimeout: 60_000,
        execArgv: ['--expose-gc'],
      }),
      tier('charts', ['test/charts/**/*.test.ts'], { testTimeout: 300_000 }),
      tier('rules', ['test/rules/**/*.test.ts'], { testTimeout: 60_000 }),
      tier('aws-wire', ['test/aws-wire/**/*.test.ts'], {
        testTimeout: 60_000,
        globalSetup: 'test/aws-wire/global-setup.ts',
      }),
      tier('distribution', ['test/distribution/**/*.test.ts'], { testTimeout: 120_000 }),
      tier('terminal', ['test/terminal/**/*.test.ts'], { testTimeout: 120_000 }),
      tier('browser', ['test/browser/**/*.test.ts'], {
        testTimeout: 120_000,
        globalSetup: 'test/browser/global-setup.ts',
      }),
    ],
  },
});
