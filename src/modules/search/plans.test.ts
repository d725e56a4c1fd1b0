import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../test/support/many/publications.ts'
import { explain, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { insertPublications } from '../publications/publications.test-kit.ts'
import { findRecords } from './routes.admin.ts'

const many = await cloneManyPublications(manyRows)
const world = await openWorld({ database: many.database })
const { pool } = world
const { db, statements } = watch(pool)
const kinds = modules.flatMap(({ office }) => office?.searchSources ?? [])

test.each([
  'f',
  'many',
  'rendez',
  'chataignes',
  'zwetschge',
  'fete pomme',
  'concert 4242',
  'zoe@example.org',
  '95003',
  many.bigActeur,
])('finds records by an index among many, in one statement: %s', async (q) => {
  await findRecords(db, kinds, q)
  const [statement = { sql: '', parameters: [] }, ...others] = statements.splice(0)
  expect(others).toEqual([])
  const steps = await explain(pool, statement)
  // A scan that stops at its fifth match is not a full table scan.
  const long = steps.filter((step) => visitedBy(step) > 1_000)
  expect(readWhole(long)).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(5_000)
})

test('a thousand similar new publications do not make a search read all matches of another common word', async () => {
  await insertPublications(
    world,
    Array.from({ length: 1_000 }, (_, n) => ({ title: `Vide-grenier ${n}`, body: 'Sur la place.' })),
  )
  await findRecords(db, kinds, 'samedi')
  const [statement = { sql: '', parameters: [] }] = statements.splice(0)
  const steps = await explain(pool, statement)
  // A third of all publications contain it.
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(manyRows / 5)
})
