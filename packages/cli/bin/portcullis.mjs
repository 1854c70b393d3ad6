#!/usr/bin/env node
// The command's entry in plain JavaScript: an older Node stops at the first .ts file with a stack trace.
const needed = 26;

if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(`portcullis: Node ${needed} is needed, and this is ${process.versions.node}.
To mend it: put the Node that comes with the dependencies first, in the folder of the checkout:
  PATH="$PWD/node_modules/.bin:$PATH" portcullis ${process.argv.slice(2).join(' ')}
`);
  process.exit(1);
}
await import('../src/main.ts');
