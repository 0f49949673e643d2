import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workingConstructors } from './constructors.ts';
import * as rules from './rules.ts';
import { packageNames, readManifests, readSourceFiles, root } from './workspace.ts';

const files = readSourceFiles();
const manifests = readManifests();
const tour = readFileSync(join(root, 'docs', 'tour.md'), 'utf8');

describe('the workspace', () => {
  it('imports only declared dependencies, by their entry points', () => {
    expect(rules.undeclaredImports(files, manifests)).toEqual([]);
  });

  it('imports only downwards through the layers', () => {
    expect(rules.layerBreaks(files)).toEqual([]);
    expect(rules.undeclaredLayers(manifests)).toEqual([]);
  });

  it('reaches other packages by name, never by path', () => {
    expect(rules.escapes(files)).toEqual([]);
  });

  it('enters a folder that has an index through that index', () => {
    expect(rules.importsPastAnIndex(files)).toEqual([]);
  });

  it('declares each exported type name once', () => {
    expect(rules.repeatedTypeNames(files)).toEqual([]);
  });

  it('has no cycle of run-time imports', () => {
    expect(rules.cycles(files)).toEqual([]);
  });

  it('keeps clock, randomness, I/O and dependencies out of the pure packages', () => {
    expect(rules.impurities(files)).toEqual([]);
    expect(rules.impureDependencies(manifests)).toEqual([]);
  });

  it('starts no watch and no timer in a constructor', () => {
    expect(workingConstructors(files)).toEqual([]);
  });

  it('checks how deep a YAML text is before it parses it', () => {
    expect(rules.unguardedYaml(files)).toEqual([]);
  });

  it('has meaningful file names and short files', () => {
    expect(rules.untidyFiles(files)).toEqual([]);
  });

  it.each(packageNames)('describes package %s in one paragraph and in the tour', (name) => {
    const readme = join(root, 'packages', name, 'README.md');
    expect(existsSync(readme)).toBe(true);
    expect(readFileSync(readme, 'utf8').trim().split(/\n\n+/)).toHaveLength(2);
    expect(tour).toContain(`| [${name}](../packages/${name}) |`);
  });

  it('says at the head of every index what lives in its folder', () => {
    const indexes = files.filter(({ path }) => /^packages\/.*\/index\.ts$/.test(path));
    expect(indexes.filter(({ text }) => !/^(\/\*\*|\/\/)/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it.each(['tour.md', 'code-map.md'])('links only to files that exist in %s', (page) => {
    const text = readFileSync(join(root, 'docs', page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(40);
    expect(targets.filter((target) => !existsSync(join(root, 'docs', target)))).toEqual([]);
  });

  it('records no download address in the lock file', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/);
  });
});
