import { createRequire } from 'node:module'
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

const firstRequest = 'src/api/first-request.ts'

/** Adds a script tag that runs before the application has loaded. */
const sendFirst: Plugin = {
  name: 'send-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunk = Object.values(bundle ?? {}).find(({ name }) => name === 'first-request')
      if (chunk === undefined) return
      const attrs = { type: 'module', async: true, crossorigin: true, src: `/backoffice/${chunk.fileName}` }
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
    },
  },
}

const languages = ['fr-FR', 'en-US']
const intl = /[\\/]react-(aria|stately)[^\\/]*[\\/].*[\\/]intl[\\/]/

/**
 * Leaves out the texts of React Aria in languages that the application has not; and renames its hidden
 * buttons, which screen readers announced as "Reject" beside those that decide.
 */
const ownLanguages: Plugin = {
  name: 'own-languages',
  enforce: 'pre',
  load(id) {
    const language = intl.test(id) && /([a-z]{2}-[A-Z]{2})\.mjs$/.exec(id)?.[1]
    return language && !languages.includes(language) ? 'export default undefined' : null
  },
  transform: (code, id) =>
    intl.test(id) && id.endsWith('overlays/fr-FR.mjs') ? code.replace('Rejeter', 'Fermer') : null,
}

const commonJs = ['react', 'react/jsx-runtime']
const require = createRequire(import.meta.url)

/**
 * Makes the exports of React constants. Rolldown reads the exports of a CommonJS module through getters, five thousand
 * times per decision in the queue, and V8 compiles them into every caller.
 */
const constantExports: Plugin = {
  name: 'constant-exports',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer, { kind }) {
    const isWrapped = commonJs.includes(source) && kind === 'import-statement'
    return isWrapped && !importer?.startsWith('\0constant:') ? `\0constant:${source}` : null
  },
  load(id) {
    if (!id.startsWith('\0constant:')) return null
    const source = id.slice('\0constant:'.length)
    const constants = Object.keys(require(source)).map((name) => `export const ${name} = whole.${name}`)
    return [`import whole from '${source}'`, 'export default whole', ...constants].join('\n')
  },
}

type Context = { getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null }

/**
 * Returns which screens need a module: those of acteurs (`espace`), those of roles (`office`), or both. Members of an
 * acteur load nothing of the back-office, and the reverse.
 */
function partOf(id: string, graph: Context): 'shared' | 'office' | 'espace' {
  const seen = new Set([id])
  const parts = new Set<string>()
  for (const one of seen) {
    const info = graph.getModuleInfo(one)
    if (info && info.dynamicImporters.length > 0) parts.add(screenOf(one))
    for (const importer of info?.importers ?? []) seen.add(importer)
  }
  if (parts.has('shared') || parts.size !== 1) return 'shared'
  return parts.has('espace') ? 'espace' : 'office'
}

function screenOf(id: string): 'shared' | 'office' | 'espace' {
  if (id.includes('/screens/espace/')) return 'espace'
  return id.includes('/screens/') && !/[/](account|sign-in)[/]/.test(id) ? 'office' : 'shared'
}

const layers = ['base', 'shell', 'sign-in', 'queries', 'screens'] as const

/** Returns the layer of a module. Screens without their components are `queries`. Imports go from the later layers to the earlier ones, never back. */
const layerOf = (id: string): (typeof layers)[number] =>
  id.includes('/web/src/screens/')
    ? id.endsWith('.ts')
      ? 'queries'
      : 'screens'
    : id.includes('/web/src/shell/sign-in/')
      ? 'sign-in'
      : id.includes('/web/src/shell/')
        ? 'shell'
        : 'base'

export default defineConfig(({ mode }) => ({
  base: '/backoffice/',
  plugins: [react(), ownLanguages, layersInOrder, sendFirst, constantExports],
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
      input: mode === 'components' ? ['components.html'] : ['index.html', firstRequest],
      output: {
        // Rolldown names a shared file after all that share it, which is too long for the archive of a release.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // The first view loads two files. The libraries stay in the browser's cache over most releases.
            { name: 'libraries', tags: ['$initial'], test: /node_modules|rolldown.runtime/ },
            { name: 'first-request', test: /first-request\.ts$/, priority: 1 },
            { name: 'application', tags: ['$initial'] },
            // Loads with the first publication that repeats, and with forms: merged with one of them, it would load both.
            {
              name: 'recurrence',
              test: /[\\/](?:time|publications)[\\/](?:days|recurrence(?:-words)?)\.ts$/,
            },
            // Merges small parts that several screens share into few files.
            ...(['shared', 'office', 'espace'] as const).flatMap((part) =>
              layers.map((layer) => ({
                debugName: `${part} ${layer}`,
                name: (id: string, graph: Context) =>
                  layerOf(id) === layer && partOf(id, graph) === part ? part : null,
                minShareCount: 2,
                entriesAware: true,
                entriesAwareMergeThreshold: 24_000,
              })),
            ),
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service, '/readyz': service } },
}))
