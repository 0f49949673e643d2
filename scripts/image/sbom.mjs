// The bill of materials of the image in CycloneDX: only what is in it, unlike `npm sbom`, which lists everything that is
// installed. Without time and serial number, so that the same sources give the same file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/**
 * @param {object} contents
 * @param {string} contents.version
 * @param {string} [contents.commit]
 * @param {readonly string[]} contents.packages npm packages as name@version
 * @param {string} contents.nodeVersion
 * @param {readonly import('./debian-packages.mjs').DebianPackage[]} contents.debian
 * @param {string} contents.architecture
 */
export function billOfMaterials({ version, commit, packages, nodeVersion, debian, architecture }) {
  const locked = lockedPackages();
  const components = [
    ...packages.map((title) => npmComponent(title, locked.get(title) ?? {})),
    component({
      type: 'application',
      name: 'node',
      version: nodeVersion,
      purl: `pkg:generic/node@${nodeVersion}`,
    }),
    ...debian.map((each) => debianComponent(each, architecture)),
  ];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: ourselves(version, commit) },
    components,
  };
}

const component = ({ purl, ...facts }) => ({ 'bom-ref': purl, ...facts, purl });

function ourselves(version, commit) {
  const purl = `pkg:generic/karpenter-ts@${version}`;
  const facts = { type: 'application', name: 'karpenter-ts-controller', version, purl };
  const licenses = [{ expression: 'Apache-2.0' }];
  const properties = commit === undefined ? {} : { properties: [{ name: 'commit', value: commit }] };
  return component({ ...facts, licenses, ...properties });
}

function npmComponent(title, { license, integrity }) {
  const [, scope, name, version] = /^(?:(@[^/]+)\/)?([^@]+)@(.+)$/.exec(title);
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${name}@${version}`;
  return component({
    type: 'library',
    ...(scope === undefined ? {} : { group: scope }),
    name,
    version,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    purl,
  });
}

function debianComponent({ name, version }, architecture) {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return component({ type: 'library', name, version, purl });
}

function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content };
}

/** What the lock file says of each third-party package, by name@version. */
function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return new Map(
    Object.entries(packages).map(([path, facts]) => [
      `${facts.name ?? path.replace(/^.*node_modules\//, '')}@${facts.version}`,
      facts,
    ]),
  );
}
