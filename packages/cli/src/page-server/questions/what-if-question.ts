import type { WhatIfQuestion } from '@karpenter/core/page-api';
import { HttpRefusal } from '../http/index.ts';

const fields: Readonly<Record<keyof WhatIfQuestion, (value: unknown) => boolean>> = {
  add: (value) => typeof value === 'string',
  removeNodes: isTexts,
  set: isTexts,
  consolidate: (value) => typeof value === 'boolean',
};

export function whatIfQuestion(body: unknown): WhatIfQuestion {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpRefusal(400, 'the question is no object; send add, removeNodes, set or consolidate');
  for (const [name, value] of Object.entries(body)) {
    const isValid = Object.hasOwn(fields, name) ? fields[name as keyof WhatIfQuestion] : undefined;
    if (isValid === undefined)
      throw new HttpRefusal(400, `the question has an unknown field ${JSON.stringify(name)}; use ${names}`);
    if (!isValid(value)) throw new HttpRefusal(400, `${name} of the question is not of its type; ${types}`);
  }
  return body as WhatIfQuestion;
}

const names = Object.keys(fields).join(', ');
const types = 'add is a text, removeNodes and set are lists of texts, consolidate is true or false';

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
