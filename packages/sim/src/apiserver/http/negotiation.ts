import { remembered } from '../remembered.ts';
import { StatusError } from '../status/status-error.ts';

/** The representation that a client requests with the `as` parameter of its Accept header. */
export type View = 'object' | 'table' | 'partial';

export interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export const parseMediaType = remembered((text): MediaType => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  return {
    type: type.toLowerCase(),
    parameters: Object.fromEntries(
      parameters.map((parameter) => {
        const [name = '', value = ''] = parameter.split('=');
        return [name.trim(), value.trim().replace(/^"|"$/g, '')];
      }),
    ),
  };
});

export function parseAccept(accept: string | undefined): readonly MediaType[] {
  return mediaTypes(accept ?? '*/*');
}

const mediaTypes = remembered((accept): readonly MediaType[] => accept.split(',').map(parseMediaType));

const views: ReadonlyMap<string, View> = new Map([
  ['Table', 'table'],
  ['PartialObjectMetadata', 'partial'],
  ['PartialObjectMetadataList', 'partial'],
]);

/**
 * The first media type in the client's list that this server can produce. It produces JSON only; clients that
 * prefer protobuf list JSON as a fallback. Throws 406 otherwise.
 */
export function negotiateView(accept: string | undefined): View {
  for (const { type, parameters } of parseAccept(accept)) {
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const { as, g, v } = parameters;
    if (as === undefined) return 'object';
    const view = views.get(as);
    if (view !== undefined && g === 'meta.k8s.io' && v === 'v1') return view;
  }
  throw new StatusError(
    406,
    'NotAcceptable',
    'only the following media types are accepted: application/json',
  );
}
