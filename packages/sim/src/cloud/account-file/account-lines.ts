import { checkedJson, checkedLine } from '../../durable-files/index.ts';
import type { SavedBoots, SavedNode } from '../boots/instance-boots.ts';
import type { SavedCloud } from '../saved/saved-cloud.ts';
import type { SavedInstance } from '../saved/saved-instance.ts';
import type { SavedTemplate } from '../saved/saved-template.ts';
import type { SavedWorld } from '../saved/saved-world.ts';
import type { SavedAccount } from './saved-account.ts';

/**
 * Everything that is small: all of the account except instances, launch templates, remembered replies and
 * nodes.
 */
interface Head {
  readonly cloud: Omit<SavedCloud, 'world' | 'fleetAnswers' | 'runAnswers'>;
  readonly world: Omit<SavedWorld, 'instances' | 'launchTemplates'>;
  readonly boots: Omit<SavedBoots, 'nodes'>;
}

/**
 * One line per object, with the immutable part apart from the mutable one, so that the text of the immutable
 * part can be cached. `instance-state` and `template-tags` follow the line they belong to.
 */
type Line =
  | readonly ['head', Head]
  | readonly ['instance', SavedInstance['facts']]
  | readonly ['instance-state', SavedInstance['changing']]
  | readonly ['template', SavedTemplate['facts']]
  | readonly ['template-tags', SavedTemplate['tags']]
  | readonly ['fleet-answer', SavedCloud['fleetAnswers'][number]]
  | readonly ['run-answer', SavedCloud['runAnswers'][number]]
  | readonly ['node', SavedNode]
  /** The last line: the number of lines before it. A text without it was cut off. */
  | readonly ['end', number];

type StableLine = Extract<Line, readonly [StablePart, object]>;
type StablePart = 'instance' | 'template' | 'fleet-answer' | 'run-answer' | 'node';

/**
 * Serializes an account. Caches the text of immutable objects, so that a save costs little in a large
 * account.
 */
export class AccountWriter {
  readonly #texts = new WeakMap<object, string>();

  textOf({ cloud, boots }: SavedAccount): string {
    const { world, fleetAnswers, runAnswers, ...restOfCloud } = cloud;
    const { instances, launchTemplates, ...restOfWorld } = world;
    const { nodes, ...restOfBoots } = boots;
    const lines = [
      lineOf(['head', { cloud: restOfCloud, world: restOfWorld, boots: restOfBoots }]),
      ...instances.flatMap(({ facts, changing }) => [
        this.#stable(['instance', facts]),
        lineOf(['instance-state', changing]),
      ]),
      ...launchTemplates.flatMap(({ facts, tags }) => [
        this.#stable(['template', facts]),
        lineOf(['template-tags', tags]),
      ]),
      ...fleetAnswers.map((answer) => this.#stable(['fleet-answer', answer])),
      ...runAnswers.map((answer) => this.#stable(['run-answer', answer])),
      ...nodes.map((node) => this.#stable(['node', node])),
    ];
    return lines.join('') + lineOf(['end', lines.length]);
  }

  #stable(line: StableLine): string {
    const known = this.#texts.get(line[1]);
    if (known !== undefined) return known;
    const text = checkedLine(JSON.stringify(line, replaceDate));
    this.#texts.set(line[1], text);
    return text;
  }
}

/** Parses an account. Returns undefined if a checksum is wrong or a line is missing. */
export function readAccount(text: string): SavedAccount | undefined {
  const texts = text.split('\n');
  const jsons = texts.slice(0, -1).map(checkedJson);
  const reader = new AccountReader();
  for (const json of jsons) {
    if (json === undefined) return undefined;
    const line: Line = JSON.parse(json, reviveDate);
    reader.add(line);
  }
  return reader.end === jsons.length - 1 && texts.at(-1) === '' ? reader.account() : undefined;
}

/** Collects the lines of an account in the order of the file. */
class AccountReader {
  end: number | undefined;
  #head: Head | undefined;
  #facts: SavedInstance['facts'] | undefined;
  #template: SavedTemplate['facts'] | undefined;
  readonly #instances: SavedInstance[] = [];
  readonly #templates: SavedTemplate[] = [];
  readonly #fleetAnswers: SavedCloud['fleetAnswers'][number][] = [];
  readonly #runAnswers: SavedCloud['runAnswers'][number][] = [];
  readonly #nodes: SavedNode[] = [];

  add([part, value]: Line): void {
    switch (part) {
      case 'head':
        this.#head = value;
        break;
      case 'instance':
        this.#facts = value;
        break;
      case 'instance-state':
        if (this.#facts !== undefined) this.#instances.push({ facts: this.#facts, changing: value });
        break;
      case 'template':
        this.#template = value;
        break;
      case 'template-tags':
        if (this.#template !== undefined) this.#templates.push({ facts: this.#template, tags: value });
        break;
      case 'fleet-answer':
        this.#fleetAnswers.push(value);
        break;
      case 'run-answer':
        this.#runAnswers.push(value);
        break;
      case 'node':
        this.#nodes.push(value);
        break;
      case 'end':
        this.end = value;
    }
  }

  account(): SavedAccount | undefined {
    if (this.#head === undefined) return undefined;
    const { cloud, world, boots } = this.#head;
    return {
      cloud: {
        ...cloud,
        world: { ...world, instances: this.#instances, launchTemplates: this.#templates },
        fleetAnswers: this.#fleetAnswers,
        runAnswers: this.#runAnswers,
      },
      boots: { ...boots, nodes: this.#nodes },
    };
  }
}

const dateKey = '$date';

/** Serializes parts without dates; without a replacer JSON.stringify is several times as fast. */
function lineOf(line: Exclude<Line, StableLine>): string {
  return checkedLine(JSON.stringify(line));
}

/**
 * Marks dates, which replies of AWS and launch templates contain and JSON would turn into strings. Reads the
 * value from the holder, because JSON.stringify calls `toJSON` of a Date before the replacer.
 */
function replaceDate(this: unknown, key: string, value: unknown): unknown {
  const original: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : value;
  return original instanceof Date ? { [dateKey]: original.getTime() } : value;
}

function reviveDate(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(dateKey in value)) return value;
  return new Date(Number(value[dateKey]));
}
