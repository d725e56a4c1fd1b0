import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The service that `npm run dev:web` sends API requests to.
const service = process.env.PARVIS_URL ?? 'http://127.0.0.1:3000'

/** Files of styles come together in the order of their parts: each says the order of the layers, so that the first does. */
const layersInOrder: Plugin = {
  name: 'layers-in-order',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.css') ? `@layer reset, ui, shell, screens;\n${code}` : null),
}

export default defineConfig(({ mode }) => ({
  base: '/backoffice/',
  plugins: [react(), layersInOrder],
  // Each response puts a nonce of its own here: src/web-app/site.ts.
  html: { cspNonce: '__PARVIS_NONCE__' },
  build: {
    // Browsers of 2024 and later: they know light-dark(), nesting and layers.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    // The policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All of it is small: one file.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // The page of all components is for those who work on it, and is never shipped.
      input: mode === 'components' ? 'components.html' : 'index.html',
    },
  },
  server: { proxy: { '/api': service, '/readyz': service } },
}))
