// Bundles an entry point of the command line with everything that it imports (ADR 0038). Files with a hash in their name
// hold what is imported on demand.
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { basename, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';
import { root } from './prepare.mjs';

/**
 * Keep the memory of the controllers close to what they need (ADR 0039). V8 goes by the memory of the machine, and on a
 * large node lets a heap grow to several times of what lives in it.
 */
export const controllerOptions = ['--heap-growing-percent=40', '--max-semi-space-size=8'];

/**
 * glibc gives every thread memory of its own to allocate from and returns little of it; the compilers of V8 run on
 * several threads and need much for a moment, in pieces of 32 KiB. With these settings all threads share one arena, and
 * such pieces go back to the system when they are no longer needed (ADR 0039).
 */
export const environment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32000',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/** The termination handler runs on every node and holds next to nothing. */
export const agentOptions = ['--max-semi-space-size=1', '--max-old-space-size=48'];

/**
 * The programs, each with the module that it begins with, the options that Node runs it with, and other names for it.
 * The page comes with a program where `hasPage` does not say otherwise.
 * kubectl runs `kubectl-karpenter` as `kubectl karpenter`.
 */
export const programs = {
  karpenter: {
    input: 'packages/cli/src/entries/karpenter.ts',
    nodeOptions: [],
    aliases: ['kubectl-karpenter'],
  },
  controller: { input: 'packages/cli/src/entries/controller.ts', nodeOptions: controllerOptions },
  'node-termination-handler': {
    input: 'packages/cli/src/entries/node-termination-handler.ts',
    nodeOptions: agentOptions,
    hasPage: false,
  },
};

/** The name of a program's own file in its bundle. */
export const programFile = (name) => `${name}.mjs`;

/**
 * @typedef {object} BundledFile
 * @property {string} name
 * @property {number} bytes
 * @property {boolean} isEntry
 * @property {string[]} imports names of the files that it always loads
 * @property {string[]} modules what it was made of, by path from the root of the repository
 *
 * @typedef {object} Bundle
 * @property {BundledFile[]} files the files of code that were written
 * @property {string[]} packages the third-party packages in them, as name@version
 */

/**
 * @param {{ name: string, input: string, nodeOptions?: string[], aliases?: string[], directory: string, commit?: string }}
 * options `input` is
 * a path from the root of the repository; `commit` is what the program names as its source
 * @returns {Promise<Bundle>}
 */
export async function bundle({ name, input, nodeOptions = [], aliases = [], directory, commit }) {
  const build = await rolldown({
    cwd: root,
    input: { [name]: input },
    platform: 'node',
    // The sources of our packages, and of the AWS SDK the modules that can be tree-shaken.
    resolve: {
      conditionNames: ['karpenter-source', 'module', 'node', 'import', 'default'],
      mainFields: ['module', 'main'],
    },
    transform: {
      target: 'node20.19',
      define: commit === undefined ? {} : { bundledCommit: JSON.stringify(commit) },
    },
    plugins: [asciiOnly, httpWithoutFetch],
    onLog: failOnWarnings,
  });
  const { output } = await build.write(outputOptions(directory));
  await build.close();
  const files = output.filter(({ type }) => type === 'chunk').map(fileOf);
  const { text, packages } = licencesOf(files.flatMap(({ modules }) => modules));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'THIRD-PARTY-LICENSES'), text);
  writeFileSync(join(directory, name), launcher(name, nodeOptions), { mode: 0o755 });
  for (const alias of aliases) {
    // A module of its own, by whose name the program knows how it was called.
    const module = `#!/usr/bin/env node\nimport './${programFile(name)}';\n`;
    writeFileSync(join(directory, programFile(alias)), module);
    writeFileSync(join(directory, alias), launcher(alias, nodeOptions), { mode: 0o755 });
  }
  return { files, packages };
}

/** A shell script, because a program cannot choose the options of the Node that runs it. It leaves no process behind. */
const launcher = (name, nodeOptions) => `#!/bin/sh
${Object.entries(environment).map(exported).join('\n')}
exec node ${[...nodeOptions, `"$(dirname "$(readlink -f "$0")")/${programFile(name)}"`].join(' ')} "$@"
`;

/** Whoever starts the program may have set a variable already. */
const exported = ([variable, value]) => `export ${variable}="\${${variable}-${value}}"`;

const outputOptions = (directory) => ({
  dir: directory,
  format: 'esm',
  entryFileNames: programFile('[name]'),
  chunkFileNames: 'chunks/[name]-[hash].mjs',
  sourcemap: true,
  // As if the bundle were in dist/NAME of the repository, wherever it is written.
  sourcemapPathTransform: (source, map) => sourcePath(resolve(map, '..', source), directory, map),
  // Names and lines stay, for stack traces. Comments would only take memory; licences are in a file of their own.
  minify: { compress: true, mangle: false, codegen: false },
  comments: { legal: false, annotation: true, jsdoc: false },
});

function sourcePath(source, directory, map) {
  const pretended = resolve(root, 'dist', basename(directory), relative(directory, map), '..');
  return relative(pretended, source).split(sep).join('/');
}

/**
 * `import` reads every property of a built-in module, and those of `node:http` that are getters, such as `WebSocket`,
 * load the client behind `fetch`: 2 to 4 MB and 15 to 25 ms of CPU time, also where nothing is fetched (ADR 0039). This
 * reads the others.
 */
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId: {
    filter: { id: /^(node:)?http$/ },
    // `require` reads nothing but what is asked for.
    handler: (_id, _importer, { kind }) => (kind === 'require-call' ? null : '\0http'),
  },
  load: {
    filter: { id: /^\0http$/ },
    handler: () =>
      [
        `const http = process.getBuiltinModule('node:http');`,
        'export default http;',
        ...Object.entries(Object.getOwnPropertyDescriptors(http))
          .filter(([, { get }]) => get === undefined)
          .map(([name]) => `export const ${name} = http.${name};`),
      ].join('\n'),
  },
};

/**
 * V8 keeps a whole file in two bytes for each character if a single one is beyond Latin-1, such as an ellipsis in a
 * message: 2.3 MB more for the controllers. What is left of such characters is in literals and names, where an escape
 * means the same.
 */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code);
  },
};

function escaped(code) {
  return code.replaceAll(/[^\n\r\t -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the bundler only warns of, such as an import that cannot be resolved, would fail at run time. */
function failOnWarnings(level, log) {
  if (level === 'warn') throw new Error(log.message);
}

function fromRoot(id) {
  return id.startsWith(root) ? relative(root, id).split(sep).join('/') : id;
}

function fileOf({ fileName, code, isEntry, imports, moduleIds }) {
  return {
    name: fileName,
    bytes: Buffer.byteLength(code),
    isEntry,
    imports,
    modules: moduleIds.map(fromRoot),
  };
}
