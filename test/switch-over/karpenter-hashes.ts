/**
 * Karpenter's hashes of NodePools (`v3`) and EC2NodeClasses (`v5`), written a second time for the fields that tests
 * use. Nothing is shared with the product, so that a mistake there cannot hide here.
 */

const mask = (1n << 64n) - 1n;

/** FNV-1 with 64 bits. */
function fnv(bytes: Uint8Array): bigint {
  return bytes.reduce(
    (hash, byte) => ((hash * 1_099_511_628_211n) & mask) ^ BigInt(byte),
    14_695_981_039_346_656_037n,
  );
}

const ofText = (text: string): bigint => fnv(Buffer.from(text));

function ofNumbers(...numbers: readonly bigint[]): bigint {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeBigUInt64LE(number & mask, 8 * index);
  return fnv(bytes);
}

const ofMap = (entries: Readonly<Record<string, string>>): bigint =>
  ofNumbers(
    Object.entries(entries).reduce((sum, [key, value]) => sum ^ ofNumbers(ofText(key), ofText(value)), 0n),
  );

type Field = readonly [name: string, hash: bigint | undefined];

/** Fields that are not set do not count. */
const ofStruct = (type: string, fields: readonly Field[]): bigint =>
  fields.reduce(
    (hash, [name, value]) => (value === undefined ? hash : ofNumbers(hash ^ ofNumbers(ofText(name), value))),
    ofText(type),
  );

export interface HashedTemplate {
  readonly labels?: Readonly<Record<string, string>>;
  readonly nodeClass: { readonly group: string; readonly kind: string; readonly name: string };
  readonly expireAfterHours: number;
}

export function nodePoolHashOf({ labels, nodeClass, expireAfterHours }: HashedTemplate): string {
  const nanoseconds = BigInt(expireAfterHours) * 3_600_000_000_000n;
  const metadata = labels && ofStruct('ObjectMeta', [['Labels', ofMap(labels)]]);
  const spec = ofStruct('NodeClaimTemplateSpec', [
    [
      'NodeClassRef',
      ofStruct('NodeClassReference', [
        ['Kind', ofText(nodeClass.kind)],
        ['Name', ofText(nodeClass.name)],
        ['Group', ofText(nodeClass.group)],
      ]),
    ],
    ['ExpireAfter', ofStruct('NillableDuration', [['Duration', ofNumbers(nanoseconds)]])],
  ]);
  return String(
    ofStruct('NodeClaimTemplate', [
      ['ObjectMeta', metadata],
      ['Spec', spec],
    ]),
  );
}

export interface HashedNodeClass {
  readonly role: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly amiFamily: string;
  readonly caBundle: string;
}

/** A NodeClass with a role, tags and the default metadata options. */
export function nodeClassHashOf({ role, tags, amiFamily, caBundle }: HashedNodeClass): string {
  const spec = ofStruct('EC2NodeClassSpec', [
    ['Role', ofText(role)],
    ['Tags', ofMap(tags)],
    [
      'MetadataOptions',
      ofStruct('MetadataOptions', [
        ['HTTPEndpoint', ofText('enabled')],
        ['HTTPProtocolIPv6', ofText('disabled')],
        ['HTTPPutResponseHopLimit', ofNumbers(1n)],
        ['HTTPTokens', ofText('required')],
      ]),
    ],
  ]);
  return String(spec ^ ofText(amiFamily) ^ ofText(caBundle));
}
