import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { logName } from '../../packages/sim/dist/apiserver/store/journal-directory.js';
import { entryLine, headLine } from '../../packages/sim/dist/apiserver/store/journal-record.js';
import { recover } from '../../packages/sim/dist/apiserver/store/recovery.js';

// Creating a hundred thousand pods over HTTP takes minutes. So the server creates one object of each kind,
// and this code writes copies of it into the data directory while the server is stopped.

const objectsPerLog = 20_000;

/**
 * Writes the pairs of collection and object that `objects` yields into the data directory of a stopped
 * server.
 */
export async function writeObjects(directory, objects) {
  // A log must begin where the previous one ends.
  const { revision: firstRevision } = await recover(directory);
  let revision = firstRevision;
  let log;
  for (const [collection, object] of objects) {
    if ((revision - firstRevision) % objectsPerLog === 0) {
      await ended(log);
      log = createWriteStream(join(directory, logName(revision)));
      log.write(headLine(revision));
    }
    revision += 1;
    const metadata = { ...object.metadata, uid: randomUUID(), resourceVersion: String(revision) };
    log.write(entryLine({ collection, revision, json: JSON.stringify({ ...object, metadata }) }));
  }
  await ended(log);
}

async function ended(log) {
  log?.end();
  if (log !== undefined) await finished(log);
}

/** The object as the server would store the manifest, modelled on another stored object of the kind. */
export function like(stored, manifest) {
  if (Array.isArray(manifest)) return manifest.map((item, index) => like(stored?.[index], item));
  if (typeof manifest !== 'object' || manifest === null) return manifest;
  const merged = { ...stored };
  for (const [key, value] of Object.entries(manifest)) merged[key] = like(stored?.[key], value);
  return merged;
}
