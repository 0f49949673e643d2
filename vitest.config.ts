import { defineConfig } from 'vitest/config';

// Tests run from source: workspace packages export a `karpenter-source` condition beside their built files.
const source = ['karpenter-source', 'module', 'node', 'import', 'default'];

/** One tier of tests; the tiers and what they need are in scripts/tiers.mjs. */
const tier = (name: string, include: readonly string[], limits: { readonly testTimeout?: number } = {}) => ({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source, externalConditions: source } },
  test: { name, include: [...include], isolate: false, pool: 'threads' as const, ...limits },
});

export default defineConfig({
  test: {
    projects: [
      tier('unit', ['packages/*/src/**/*.test.ts', 'test/workspace/**/*.test.ts']),
      tier('cluster', ['test/cluster/**/*.test.ts'], { testTimeout: 60_000 }),
    ],
  },
});
