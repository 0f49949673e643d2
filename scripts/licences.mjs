// The licences of the packages in a bundle, which must go with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * @param {readonly string[]} modules paths from the root of the repository
 * @returns {{ text: string, packages: string[] }} the licences, and the packages that they are of, as name@version
 */
export function licencesOf(modules) {
  const folders = [...new Set(modules.flatMap(packageFolder))].sort();
  const packages = folders.map(readPackage).sort((a, b) => (a.title < b.title ? -1 : 1));
  const unique = packages.filter(({ title }, index) => title !== packages[index - 1]?.title);
  return { text: unique.map(section).join('\n'), packages: unique.map(({ title }) => title) };
}

/** Of a module in node_modules, the innermost package; of the few lines that the bundler adds, the bundler itself. */
function packageFolder(module) {
  if (module.startsWith('\0rolldown')) return ['node_modules/rolldown'];
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module);
  return found === null ? [] : [found[1]];
}

function readPackage(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(join(root, folder))
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  if (license === undefined && texts.length === 0)
    throw new Error(`the package ${name} names no licence; it cannot be part of a bundle`);
  return { title: `${name}@${version}`, license, author, repository, texts };
}

function section({ title, license, author, repository, texts }) {
  const facts = [
    title,
    ...(license === undefined ? [] : [`Licence: ${license}`]),
    ...(author === undefined ? [] : [`Author: ${author.name ?? author}`]),
    ...(repository === undefined ? [] : [`Source: ${repository.url ?? repository}`]),
  ];
  return `${'='.repeat(80)}\n${[facts.join('\n'), ...texts].join('\n\n')}\n`;
}
