import { ec2NodeClasses } from '@karpenter/aws';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { expect } from 'vitest';
import { markdownPage } from '../docs/markdown-pages.ts';
import { faultsCommand } from './faults-command.ts';
import { pageOf } from './promises.ts';
import type { PageWorld } from './world.ts';

/** What stands for the placeholders of a page, such as `NODE`. */
type Placeholders = Readonly<Record<string, string>>;

/** The commands of a walkthrough, word by word from its page, a code block at a time. */
export class PageSteps {
  readonly #world: PageWorld;
  readonly #blocks: string[];

  constructor(world: PageWorld, number: number) {
    this.#world = world;
    const { text } = markdownPage(pageOf(number));
    this.#blocks = [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block);
  }

  /** Runs the next code block: in a shell if the world has one, else without commands that only show something. */
  async next(placeholders: Placeholders = {}): Promise<void> {
    const block = this.#blocks.shift() ?? '';
    const { shell } = this.#world;
    for (const line of block.split('\n').filter((each) => each !== '')) {
      const command = filledIn(line, placeholders);
      if (shell === undefined) await run(this.#world, wordsOf(dated(command, this.#world.now())));
      else await shell.run(command);
    }
  }

  /** Fails if the walkthrough has code blocks that were not run. */
  end(): void {
    expect(this.#blocks).toEqual([]);
  }
}

function filledIn(line: string, placeholders: Placeholders): string {
  const names = Object.entries(placeholders);
  return names.reduce((text, [name, value]) => text.replaceAll(name, value), line);
}

function dated(line: string, now: number): string {
  const time = new Date(now).toISOString();
  return line.replace(`"$(date -u '+%M %H')"`, `'${time.slice(14, 16)} ${time.slice(11, 13)}'`);
}

/** Words as a shell splits them; the pages quote with single quotes only. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

type Run = (world: PageWorld, words: readonly string[]) => Promise<unknown>;

const verbs: Readonly<Record<string, Run>> = {
  'kubectl apply': (world, [, file = '']) => world.apply(file.replace('docs/walkthroughs/', '')),
  'kubectl scale': (world, [, name = '', , count]) => world.scale(name, Number(count)),
  'kubectl patch': (world, [kind = '', name = '', ...flags]) =>
    world.client.patch(kindOf(kind), keyOf(kind, name), {
      type: 'merge',
      body: JSON.parse(flags.at(-1) ?? ''),
    }),
  'kubectl delete': (world, [kind = '', name = '']) => world.client.delete(kindOf(kind), keyOf(kind, name)),
  'kubectl get': async () => undefined,
  'kubectl describe': async () => undefined,
  'bin/karpenter faults': ({ kubeconfig }, args) => faultsCommand(kubeconfig, args),
};

async function run(world: PageWorld, [program = '', verb = '', ...rest]: readonly string[]): Promise<void> {
  const perform = verbs[`${program} ${verb}`];
  if (perform === undefined)
    throw new Error(`the page has a command that no test can run: ${program} ${verb}`);
  await perform(world, rest);
}

const patched: Readonly<Record<string, Kind<KubeObject>>> = {
  nodepool: nodePools as Kind<KubeObject>,
  ec2nodeclass: ec2NodeClasses as Kind<KubeObject>,
  nodeclaim: nodeClaims as Kind<KubeObject>,
  pdb: kinds.podDisruptionBudget as Kind<KubeObject>,
};

function kindOf(word: string): Kind<KubeObject> {
  const kind = patched[word];
  if (kind === undefined) throw new Error(`the page names a kind that no test knows: ${word}`);
  return kind;
}

function keyOf(word: string, name: string): { readonly name: string; readonly namespace?: string } {
  return kindOf(word).namespaced ? { name, namespace: 'default' } : { name };
}
