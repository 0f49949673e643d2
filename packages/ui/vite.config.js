import { defineConfig } from 'vite';

// The page is served from any path and without network access, so addresses are relative and everything is in the
// folder. No inlined assets: the content security policy allows only files of the page itself.
export default defineConfig({
  base: './',
  resolve: { conditions: ['karpenter-source', 'module', 'browser', 'import', 'default'] },
  build: {
    outDir: 'dist-page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
