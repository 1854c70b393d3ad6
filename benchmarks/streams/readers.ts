// Reads the live log on many connections, and asks the API something all the while. Started by ../streams.ts with
// BASE COUNT TOKEN… as arguments, a token for every ten connections; its parent says when to begin counting and when to tell what it saw.
import { request } from 'node:http';

const [base = '', count = '0', ...tokens] = process.argv.slice(2);
const authorize = (index: number) => ({ authorization: `Bearer ${tokens[Math.floor(index / 10)]}` });
/** as the bytes of an entry's frame begin */
const entry = Buffer.from('event: log\n');

let entries = 0;
let missed = 0;
let bytes = 0;

function read(index: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const outgoing = request(`${base}/logs/stream?level=error`, {
    agent: false,
    headers: authorize(index),
  });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
    resolve();
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      for (let at = chunk.indexOf(entry); at >= 0; at = chunk.indexOf(entry, at + entry.length)) entries += 1;
      if (chunk.includes('event: missed')) missed += 1;
    });
  });
  outgoing.end();
  return promise;
}

async function ask(): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${base}/api/sites`, { headers: authorize(0) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`);
  return performance.now() - began;
}

await Promise.all(Array.from({ length: Number(count) }, (_, index) => read(index)));
const times: number[] = [];
let asking = true;
async function askOn(): Promise<void> {
  while (asking) times.push(await ask());
}
const asked = askOn();
process.on('message', (told) => {
  if (told === 'begin') {
    entries = 0;
    missed = 0;
    bytes = 0;
    times.length = 0;
  }
  if (told === 'count') process.send?.({ entries, missed, bytes, times });
  if (told === 'end') {
    asking = false;
    void asked.then(() => process.exit(0));
  }
});
process.send?.('ready');
