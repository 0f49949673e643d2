type Fields = Readonly<Record<string, unknown>>;

/** Holds a copy of the applied manifest, with everything that is removed below. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

// What plans read of a container. Its other fields stay out of files: environment variables, commands and probes
// may hold secrets, and together they are most of a pod. Volumes and statuses stay whole, because plans compare
// them as a whole to find equal pods.
const containerFields = ['name', 'resources', 'ports', 'restartPolicy'];
const containerLists = ['containers', 'initContainers'];

/**
 * The object as a file may hold it: without managed fields, without what containers run and with which
 * environment, and without the images of nodes.
 */
export function savedObject(object: object): object {
  return changed(object as Fields, {
    metadata: savedMetadata,
    spec: savedSpec,
    status: savedStatus,
    template: savedTemplate,
  });
}

type Change = (fields: Fields) => Fields;

/** Applies each change to the member of its name, if it is an object. */
function changed(fields: Fields, changes: Readonly<Record<string, Change>>): Fields {
  const entries = Object.entries(changes).flatMap(([name, change]) => {
    const member = fields[name];
    return isFields(member) ? [[name, change(member)] as const] : [];
  });
  return entries.length === 0 ? fields : { ...fields, ...Object.fromEntries(entries) };
}

function savedMetadata(metadata: Fields): Fields {
  const { managedFields: _, ...rest } = metadata;
  return changed(rest, { annotations: ({ [lastApplied]: _applied, ...annotations }) => annotations });
}

/** The spec of a pod, or of an object with a template of pods. */
function savedSpec({ ephemeralContainers: _, ...spec }: Fields): Fields {
  const lists = containerLists.flatMap((name) => {
    const containers = spec[name];
    return Array.isArray(containers) ? [[name, containers.map(savedContainer)]] : [];
  });
  return changed({ ...spec, ...Object.fromEntries(lists) }, { template: savedTemplate });
}

function savedContainer(container: unknown): unknown {
  return isFields(container) ? only(container, containerFields) : container;
}

function savedTemplate(template: Fields): Fields {
  return changed(template, { metadata: savedMetadata, spec: savedSpec });
}

/** Images are the largest part of a node. */
function savedStatus({ images: _, ...status }: Fields): Fields {
  return status;
}

function only(fields: Fields, kept: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => kept.includes(name)));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
