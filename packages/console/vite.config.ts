import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `PORTCULLIS_CONSOLE_SERVICE` points `vite packages/console` at a running service, for work on screens. */
const service = process.env.PORTCULLIS_CONSOLE_SERVICE ?? 'http://127.0.0.1:7080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': service, '/logs/stream': service } },
});
