// Writes to a durable store until it is killed, and prints what the store has acknowledged. Runs from the
// build: a process that is killed cannot be a thread of the test runner.
import { FileJournal, Store } from '../../../packages/sim/dist/apiserver/store/index.js';

const [directory, round, bytesPerLog] = process.argv.slice(2);
let store;
const journal = await FileJournal.open({
  directory,
  bytesPerLog: Number(bytesPerLog),
  entries: () => store?.durableEntries() ?? [],
});
store = new Store({ journal });
process.stdout.write(`open ${store.revision}\n`);

const say = (text) => new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));

async function write(worker) {
  for (let count = 0; ; count += 1) {
    const name = `worker-${worker}-${count % 7}`;
    const present = store.get('configmaps', 'default', name);
    if (present !== undefined && count % 5 === 4) {
      await say(`will ${store.revision} ${name}`);
      const { revision } = store.remove(present);
      await store.durable();
      await say(`gone ${revision} ${name}`);
      continue;
    }
    const value = `${round}-${count}`;
    const { revision } = store.put('configmaps', {
      metadata: { namespace: 'default', name },
      data: { value },
    });
    await store.durable();
    await say(`kept ${revision} ${name} ${value}`);
  }
}

for (let worker = 0; worker < 8; worker += 1) void write(worker);
