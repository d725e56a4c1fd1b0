import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { written } from '../../tools/drift.ts'
import { misplacedReads } from '../../tools/queries.ts'
import { describeRights } from '../../tools/rights.ts'
import { openWorld } from '../support/world.ts'

const routes: RouteOptions[] = []
await openWorld({
  watchRoutes: (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  },
})

test('generation writes files; the check writes nothing and names each outdated file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-drift-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'generated.md')
  expect(written(file, 'one\n', { check: false })).toEqual([])
  expect(written(file, 'one\n', { check: true })).toEqual([])
  for (const other of ['two\n', 'one', '']) expect(written(file, other, { check: true })).toEqual([file])
  expect(readFileSync(file, 'utf8')).toBe('one\n')
  writeFileSync(file, 'by hand\n')
  expect(written(file, 'one\n', { check: true })).toEqual([file])
})

test('the committed permissions equal those of the routes', () => {
  expect(written('docs/rights.md', describeRights(routes, modules), { check: true })).toEqual([])
})

test('generation refuses a list that runs on `reads`, or another read that runs on `lists`', () => {
  const call = (name: string, pool: string) => ({
    name,
    statements: ['begin', `-- ${pool}, prepared\nselect 1 -- ${name}`],
  })
  const lists = new Set(['GET /communes'])
  const right = [
    call('GET /communes?by name', 'lists'),
    call('GET /communes/{id}', 'reads'),
    call('POST /claims', 'db'),
  ]
  expect(misplacedReads(right, lists)).toEqual([])
  const wrong = [call('GET /communes?by name', 'reads'), call('GET /communes/{id}', 'lists')]
  expect(misplacedReads(wrong, lists)).toEqual([
    'GET /communes?by name runs on reads',
    'GET /communes/{id} runs on lists',
  ])
  const mairie = [call('GET /mairie/communes/{id}/alertes', 'reads')]
  expect(misplacedReads(mairie, new Set(['GET /mairie/communes/{id}/alertes']))).toEqual([])
})
