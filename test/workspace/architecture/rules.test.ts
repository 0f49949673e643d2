import { describe, expect, it } from 'vitest';
import { workingConstructors } from './constructors.ts';
import * as rules from './rules.ts';
import { importsOf } from './source-file.ts';

const file = (path: string, text: string) => ({ path, text });
const manifests = {
  core: { exports: { './api': {} } },
  kube: { dependencies: { '@karpenter/core': '0.1.0', yaml: '2.9.1' }, exports: { '.': {} } },
  sim: { dependencies: { '@karpenter/core': '0.1.0', '@karpenter/aws': '0.1.0' } },
  aws: { exports: { '.': {} } },
};

describe('the architecture rules', () => {
  it('find imports of every form, over several lines, and distinguish types from values', () => {
    const text = `import a from 'a';\nimport type { B } from "b";\nexport * from './c.ts';\nimport {\n  d,\n  type E,\n} from 'd';\nimport 'side-effect';\nconst f = await import('f');\n// import g from 'g';\nexport type { H } from './h.ts';`;
    expect(importsOf(file('x.ts', text))).toEqual([
      { specifier: 'a', typeOnly: false },
      { specifier: 'b', typeOnly: true },
      { specifier: './c.ts', typeOnly: false },
      { specifier: 'd', typeOnly: false },
      { specifier: 'side-effect', typeOnly: false },
      { specifier: 'f', typeOnly: false },
      { specifier: './h.ts', typeOnly: true },
    ]);
  });

  it('reject an undeclared import, and one past the entry points', () => {
    const files = [
      file('packages/kube/src/a.ts', `import x from 'pino';\nimport y from 'yaml';`),
      file('packages/kube/src/b.ts', `import { z } from '@karpenter/core/api/kinds';`),
      file('packages/kube/src/a.test.ts', `import { it } from 'vitest';`),
    ];
    expect(rules.undeclaredImports(files, manifests)).toEqual([
      'packages/kube/src/a.ts: pino is not among the dependencies of kube',
      'packages/kube/src/b.ts: @karpenter/core/api/kinds is not an entry point',
    ]);
  });

  it('reject an import upwards, and in the simulator the planner and values of the AWS provider', () => {
    const files = [
      file('packages/core/src/a.ts', `import { k } from '@karpenter/kube';`),
      file('packages/sim/src/a.ts', `import { plan } from '@karpenter/core/scheduling';`),
      file('packages/sim/src/b.ts', `import { launch } from '@karpenter/aws';`),
      file(
        'packages/sim/src/c.ts',
        `import type { Ec2 } from '@karpenter/aws';\nimport '@karpenter/core/api';`,
      ),
      file('packages/cli/src/a.ts', `import '@karpenter/testkit';`),
    ];
    expect(rules.layerBreaks(files)).toEqual([
      'packages/core/src/a.ts: core must not import @karpenter/kube',
      'packages/sim/src/a.ts: sim must not import @karpenter/core/scheduling',
      'packages/sim/src/b.ts: sim must not import @karpenter/aws',
      'packages/cli/src/a.ts: cli must not import @karpenter/testkit',
    ]);
  });

  it('reject a package without a layer and a dependency that no layer allows', () => {
    const found = rules.undeclaredLayers({ extra: {}, core: { dependencies: { '@karpenter/kube': '1' } } });
    expect(found).toContain('extra has no layer');
    expect(found).toContain('core must not depend on @karpenter/kube');
    expect(found).toContain('kube has a layer but no package');
  });

  it('reject a path into another package', () => {
    const files = [file('packages/cli/src/a.ts', `import { q } from '../../core/src/values/quantity.ts';`)];
    expect(rules.escapes(files)).toEqual([
      'packages/cli/src/a.ts: reaches out to packages/core/src/values/quantity.ts',
    ]);
  });

  it('find a cycle at run time and allow one of types', () => {
    const files = [
      file('packages/core/src/a.ts', `import { b } from './b.ts';`),
      file('packages/core/src/b.ts', `import { c } from './c.ts';\nimport type { D } from './d.ts';`),
      file('packages/core/src/c.ts', `import { a } from './a.ts';`),
      file('packages/core/src/d.ts', `import { b } from './b.ts';`),
    ];
    expect(rules.cycles(files)).toEqual([
      'packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/c.ts -> packages/core/src/a.ts',
    ]);
  });

  it.each(['Date.now()', 'new Date()', 'Math.random()', 'process.env', 'setTimeout(f)', `import 'node:fs'`])(
    'reject %s in core',
    (code) => {
      expect(rules.impurities([file('packages/core/src/a.ts', code)])).toHaveLength(1);
      expect(rules.impurities([file('packages/kube/src/a.ts', code)])).toEqual([]);
    },
  );

  it('allow comments and words that only resemble the forbidden ones', () => {
    const text = `// Date.now() would be wrong here\nconst startDate = update(1);\nconst processed = 1;`;
    expect(rules.impurities([file('packages/core/src/a.ts', text)])).toEqual([]);
  });

  it('reject a dependency of a pure package', () => {
    expect(rules.impureDependencies({ core: { dependencies: { yaml: '2' } } })).toEqual([
      'core depends on yaml',
    ]);
  });

  it('reject a parser of YAML without a check of the depth', () => {
    const importing = (names: string, body: string) =>
      file('packages/cli/src/a.ts', `import { ${names} } from 'yaml';\n${body}`);
    expect(rules.unguardedYaml([importing('isMap,\n  parseDocument', 'parseDocument(text)')])).toHaveLength(
      1,
    );
    expect(rules.unguardedYaml([importing('parse', 'parse(text)')])).toHaveLength(1);
    expect(rules.unguardedYaml([importing('parse', 'if (!isNestedTooDeeply(a)) parse(a)')])).toEqual([]);
    expect(rules.unguardedYaml([importing('stringify', 'stringify(a)')])).toEqual([]);
  });

  it('reject a constructor that starts a watch or a timer, also through a private method', () => {
    const file = (body: string) => ({
      path: 'packages/kube/src/a.ts',
      text: `class A {\n  constructor(caches: CacheSet) {\n    ${body}\n  }\n\n  start() {\n    caches.of(pods);\n  }\n}`,
    });
    expect(workingConstructors([file('this.pods = this.#options.caches.of(pods);')])).toEqual([
      'packages/kube/src/a.ts: a constructor calls caches.of',
    ]);
    for (const call of [
      'this.#watchKind(pods)',
      'startWatchCache(x)',
      'pods.subscribe(f)',
      'setTimeout(f, 1)',
    ])
      expect(workingConstructors([file(`if (isReady) ${call};`)])).toHaveLength(1);
    for (const call of ['this.watches = watches', 'this.#set = Set.of(1)', '// caches.of(pods)'])
      expect(workingConstructors([file(`${call};`)])).toEqual([]);
  });

  it('reject meaningless names and files that are too long', () => {
    const files = [file('packages/core/src/utils.ts', ''), file('packages/core/src/a.ts', '\n'.repeat(601))];
    expect(rules.untidyFiles(files)).toEqual([
      'packages/core/src/utils.ts: the name says nothing',
      'packages/core/src/a.ts: has 601 lines, more than 600',
    ]);
  });
});
