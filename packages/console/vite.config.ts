import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** `PORTCULLIS_CONSOLE_SERVICE` points `vite packages/console` at a running service, for work on screens. */
const service = process.env.PORTCULLIS_CONSOLE_SERVICE ?? 'http://127.0.0.1:7080';

/** Below this many bytes the encoding saves no packet. */
const smallestEncoded = 1024;

/** Lays a `.br` and a `.gz` beside each script and style, for the service to hand out without work of its own. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = path.join(dir, 'assets');
      for (const name of readdirSync(assets)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const file = path.join(assets, name);
        const content = readFileSync(file);
        if (content.length < smallestEncoded) continue;
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(content));
      }
    },
  };
}

/** Asks for the font of the first screen with the page, not when its first text is laid out and then once more. */
function fontAhead(): Plugin {
  return {
    name: 'font-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((name) => /\/inter-latin-wght-normal-[^/]*\.woff2$/.test(name));
        if (!font) throw new Error('the font of the first screen is not in the bundle');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), fontAhead(), precompressed()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first screens need comes in one piece: a browser would fetch dozens of small ones in turns.
            { name: 'first', test: /\/src\/(app\/main|features\/(dashboard|sign-in))/, priority: 2 },
            // And what several later screens share in a second one.
            { name: 'parts', minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service, '/logs/stream': service } },
});
