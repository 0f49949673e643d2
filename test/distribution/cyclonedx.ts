import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json');

/** A schema of the CycloneDX project, as its own library ships it. */
function schema(name: string): object {
  return JSON.parse(
    readFileSync(join(dirname(library), 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8'),
  );
}

/** Validates an SBOM of CycloneDX 1.6, licences by the list of SPDX included. */
function compiled(): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: false });
  formats.default(ajv);
  // Texts with letters of any language, which ajv-formats does not have; nothing of ours is one.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  // The library renamed the files, and with them the references between them.
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schema('bom-1.6'));
}

let validator: ValidateFunction | undefined;

/** What is wrong with an SBOM, by field. */
export function sbomProblems(sbom: unknown): readonly string[] {
  validator ??= compiled();
  if (validator(sbom)) return [];
  return (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
