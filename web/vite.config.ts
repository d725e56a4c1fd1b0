import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Address of the service to which `npm run dev:web` proxies API requests.
const service = process.env.PARVIS_URL ?? 'http://127.0.0.1:3000'

/** Declares the layer order in every CSS file, because any of them may come first in the bundle. */
const layersInOrder: Plugin = {
  name: 'layers-in-order',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.css') ? `@layer reset, ui, shell, screens;\n${code}` : null),
}

export default defineConfig(({ mode }) => ({
  base: '/backoffice/',
  plugins: [react(), layersInOrder],
  // src/web-app/site.ts replaces this placeholder with a new nonce in each response.
  html: { cspNonce: '__PARVIS_NONCE__' },
  build: {
    // Browsers since 2024: they support light-dark(), CSS nesting and layers.
    target: ['chrome123', 'firefox125', 'safari17.5'],
    // The content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All styles are small enough for one file.
    cssCodeSplit: false,
    // The map alone is larger than a megabyte; it is loaded on demand.
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      // The component gallery is for development only and is never shipped.
      input: mode === 'components' ? 'components.html' : 'index.html',
    },
  },
  server: { proxy: { '/api': service, '/readyz': service } },
}))
