import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { developmentPolicy } from './development-policy.ts'
import { preloadedFont } from './preloaded-font.ts'

const service = `http://127.0.0.1:${process.env['PORT'] ?? 4000}`

/** `npm run console` serves the sources and passes everything else on to the service at `PORT`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), developmentPolicy(), preloadedFont()],
  build: {
    outDir: 'dist',
    manifest: true,
    reportCompressedSize: false,
    // test/console/budgets.test.ts judges the compressed sizes.
    chunkSizeWarningLimit: 2_000,
    // Nothing becomes a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Older targets make Lightning CSS rewrite light-dark() to variables that nothing sets.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    target: ['chrome123', 'safari17.5', 'firefox120'],
    // What ten screens share comes in one file with the first visit; otherwise, a screen needs three dozen files.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 10 }] } } },
  },
  server: { port: 4001, strictPort: true, proxy: { '^/(?!console/)': { target: service, changeOrigin: false } } },
})
