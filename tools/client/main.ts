import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { clientTypes } from './types.ts'

/** Packs `@parvis/client`, the client of the API for TypeScript: `npm run client [-- <folder>]` (`release/`). */
const root = resolve(import.meta.dirname, '../..')
const target = resolve(process.argv[2] ?? join(root, 'release'))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { version, license, dependencies } = JSON.parse(read('package.json'))
const manifest = {
  name: '@parvis/client',
  version,
  description: 'Typed client of the Parvis API',
  license,
  type: 'module',
  exports: { types: './index.d.ts', default: './index.js' },
  engines: { node: '>=22' },
  dependencies: { 'openapi-fetch': dependencies['openapi-fetch'] },
}

/** Where the sources find the types; in the package they are beside them. */
const typesHere = '../../../web/src/api/api.generated.ts'

const folder = mkdtempSync(join(tmpdir(), 'parvis-client-'))
try {
  cpSync(join(import.meta.dirname, 'package'), folder, { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const declarations = read('tools/client/package/index.d.ts').replaceAll(typesHere, './api.js')
  writeFileSync(join(folder, 'index.d.ts'), declarations)
  writeFileSync(join(folder, 'api.d.ts'), await clientTypes(read('docs/openapi.json')))
  mkdirSync(target, { recursive: true })
  const options = { cwd: folder, encoding: 'utf8' } as const
  const file = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], options).trim()
  process.stdout.write(`${join(target, file)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
