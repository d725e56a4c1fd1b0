// Round: rest, because it starts the service to count what it loads.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Loads what a start loads before it listens, and prints the address of each module. */
const load = `
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
await import(${JSON.stringify(import.meta.resolve('./parts.ts'))})
await import(${JSON.stringify(import.meta.resolve('./platform/database/prepare.ts'))})
console.log([...loaded].join('\\n'))
`

/** Packages for rare work, which is loaded where it is done. */
const rare = ['imapflow', 'vite', 'sharp', '@hyzyla/pdfium']

test('a start loads at most 2 650 modules, and none of what only rare work needs', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', load], { encoding: 'utf8' })
  const urls = output.trim().split('\n')
  const packages = new Set(urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]))
  expect(rare.filter((name) => packages.has(name))).toEqual([])
  expect(urls.length).toBeLessThan(2_650)
})
