import { CodedError } from '@karpenter/core/errors';
import { parseYaml } from '@karpenter/kube/yaml';
import { apiFamilies } from '../calls/api-families.ts';
import {
  type BootFaults,
  type CallError,
  type ChanceOfCall,
  type ConsistencyLags,
  type Faults,
  noFaults,
  type PoolDepth,
  type Quotas,
  type SlowCall,
  type SpotFaults,
} from './faults.ts';
import { Fields } from './fields.ts';

/**
 * Reads a faults file, YAML or JSON. Throws a CodedError that names the first mistake and its place in one
 * sentence.
 */
export function parseFaults(text: string, file = 'faults'): Partial<Faults> {
  return faultsFrom(parsed(text, file), file);
}

/**
 * Reads faults that are parsed already, such as the body of a request. Leaves out the parts that are not
 * given.
 */
export function faultsFrom(value: unknown, file = 'faults'): Partial<Faults> {
  if (value === null || value === undefined) return {};
  const fields = new Fields(value, file, '');
  const read: { readonly [Part in keyof Faults]: (fields: Fields) => Faults[Part] } = {
    latency: (all) => all.duration('latency', 0),
    slow: (all) => all.list('slow').map(slowCall),
    errors: (all) => all.list('errors').map(callError),
    deny: (all) => all.texts('deny'),
    lostReplies: (all) => all.list('lostReplies').map(chanceOfCall),
    throttling: (all) => throttling(all),
    consistency: (all) => consistency(all.table('consistency')),
    capacity: (all) => all.list('capacity').map(poolDepth),
    quotas: (all) => quotas(all.table('quotas')),
    spot: (all) => spot(all.table('spot')),
    boots: (all) => boots(all.table('boots')),
  };
  fields.allow(Object.keys(read));
  const faults: { -readonly [Part in keyof Faults]?: Faults[Part] } = {};
  const take = <Part extends keyof Faults>(part: Part) => {
    if (fields.has(part)) faults[part] = read[part](fields);
  };
  for (const part of fields.names) if (isPart(part)) take(part);
  return faults;
}

function isPart(name: string): name is keyof Faults {
  return name in noFaults;
}

function parsed(text: string, file: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new CodedError('malformed-file', `${file}: is neither YAML nor JSON: ${reason}; correct the file`, {
      cause: error,
    });
  }
}

function chanceOfCall(fields: Fields): ChanceOfCall {
  fields.allow(['call', 'chance', 'times']);
  return chanceFields(fields);
}

function chanceFields(fields: Fields): ChanceOfCall {
  return {
    call: fields.text('call'),
    chance: fields.share('chance', 1),
    times: fields.count('times', Number.POSITIVE_INFINITY),
  };
}

function callError(fields: Fields): CallError {
  fields.allow(['call', 'chance', 'times', 'code', 'message', 'status']);
  const code = fields.text('code');
  return {
    ...chanceFields(fields),
    code,
    message: fields.text('message', `simulated ${code}`),
    status: fields.count('status', 400),
  };
}

function slowCall(fields: Fields): SlowCall {
  fields.allow(['call', 'by']);
  return { call: fields.text('call'), by: fields.duration('by') };
}

function throttling(all: Fields): Faults['throttling'] {
  if (all.isText('throttling', 'off')) return 'off';
  const fields = all.table('throttling');
  fields.allow(apiFamilies);
  const entries = fields.names.map((family) => {
    const bucket = fields.table(family);
    bucket.allow(['burst', 'perSecond']);
    return [family, { burst: bucket.count('burst'), perSecond: bucket.number('perSecond') }];
  });
  return Object.fromEntries(entries);
}

function consistency(fields: Fields): ConsistencyLags {
  const defaults = noFaults.consistency;
  fields.allow(Object.keys(defaults));
  return {
    describe: fields.duration('describe', defaults.describe),
    profile: fields.duration('profile', defaults.profile),
  };
}

function poolDepth(fields: Fields): PoolDepth {
  fields.allow(['types', 'zones', 'capacityTypes', 'depth']);
  return {
    types: fields.text('types', '*'),
    zones: fields.text('zones', '*'),
    capacityTypes: fields.text('capacityTypes', '*'),
    depth: fields.count('depth'),
  };
}

function quotas(fields: Fields): Quotas {
  const defaults = noFaults.quotas;
  fields.allow(Object.keys(defaults));
  return {
    onDemandVcpus: fields.count('onDemandVcpus', defaults.onDemandVcpus),
    spotVcpus: fields.count('spotVcpus', defaults.spotVcpus),
    fleets: fields.count('fleets', defaults.fleets),
  };
}

function spot(fields: Fields): SpotFaults {
  const defaults = noFaults.spot;
  fields.allow(Object.keys(defaults));
  return {
    interruptionsPerHour: fields.share('interruptionsPerHour', defaults.interruptionsPerHour),
    notice: fields.duration('notice', defaults.notice),
    rebalanceLead: fields.duration('rebalanceLead', defaults.rebalanceLead),
    serviceLinkedRole: fields.oneOf('serviceLinkedRole', ['present', 'missing'], defaults.serviceLinkedRole),
  };
}

function boots(fields: Fields): BootFaults {
  const defaults = noFaults.boots;
  fields.allow(Object.keys(defaults));
  return {
    delay: fields.duration('delay', defaults.delay),
    jitter: fields.duration('jitter', defaults.jitter),
    failing: fields.share('failing', defaults.failing),
    slow: fields.share('slow', defaults.slow),
    slowBy: fields.duration('slowBy', defaults.slowBy),
  };
}
