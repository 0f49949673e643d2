import { relative } from 'node:path';
import { defineConfig } from 'vite';
import { licencesOf } from '../../scripts/licences.mjs';
import { root } from '../../scripts/prepare.mjs';

/** The licences of the packages in the page go with it, also of the style sheet of uPlot. */
const licences = {
  name: 'licences',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const { text } = licencesOf(modules.map((id) => (id.startsWith(root) ? relative(root, id) : id)));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES', source: text });
  },
};

// Whatever runs the build, the page that people get is React's production build.
process.env.NODE_ENV = 'production';

// The page is served from any path and without network access, so addresses are relative and everything is in the
// folder. No inlined assets: the content security policy allows only files of the page itself.
export default defineConfig({
  base: './',
  plugins: [licences],
  resolve: { conditions: ['karpenter-source', 'module', 'browser', 'import', 'default'] },
  build: {
    outDir: 'dist-page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
