import {
  array,
  dateTime,
  enumeration,
  type Infer,
  integer,
  object,
  required,
  type Schema,
  string,
} from './builder.ts';

const type = required(
  string('What the condition is about, in CamelCase, such as `Ready`.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
);
const status = required(
  enumeration('Whether the condition holds: `True`, `False`, or `Unknown` while nobody has found out.', [
    'True',
    'False',
    'Unknown',
  ]),
);
const lastTransitionTime = required(
  dateTime('When the status last changed; a new reason or message alone does not move it.'),
);
const observedGeneration = integer('The generation of the object that this condition describes.', {
  format: 'int64',
  minimum: 0,
});

const condition = object('One aspect of the state of the object.', {
  type,
  status,
  lastTransitionTime,
  observedGeneration,
  reason: required(
    string('A CamelCase word for why the condition has this status, for programs.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
  ),
  message: required(string('A sentence with the details, for people; may be empty.', { maxLength: 32768 })),
});

/** NodeClaims have conditions written by releases without reason and message, so theirs are optional. */
const lenientCondition = object('One aspect of the state of the NodeClaim.', {
  type,
  status,
  lastTransitionTime,
  observedGeneration,
  reason: string('A CamelCase word for why the condition has this status, for programs; may be empty.', {
    maxLength: 1024,
    pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
  }),
  message: string('A sentence with the details, for people; may be empty.', { maxLength: 32768 }),
});

export type Condition = Infer<typeof condition>;
export type LenientCondition = Infer<typeof lenientCondition>;

const description = 'What is known about the state of the object, one entry for each aspect.';

export const conditions: Schema<readonly Condition[]> = array(description, condition);
export const lenientConditions: Schema<readonly LenientCondition[]> = array(description, lenientCondition);
/** The same, merged by entry in server-side apply. */
export const conditionMap: Schema<readonly Condition[]> = array(description, condition, {
  listType: 'map',
  mapKeys: ['type'],
});
