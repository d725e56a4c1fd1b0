// Round: rest, because it imports a thousand items.
import { expect, test } from 'vitest'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { allowPrivate, importsKit, rss } from '../imports.test-kit.ts'
import { readItems } from '../readers/read.ts'
import { readInWorker } from '../readers/read-in-worker.ts'

const world = await openWorld({ env: allowPrivate })
const { acteur, commune } = world
const { source, run, say } = await importsKit(world)
const { id: commune_id } = await commune()
const { id: acteur_id } = await acteur({ commune_id, valide: true })
const values = { acteur_id, moderation_status: 'published' }
const isLong = Boolean(process.env.PARVIS_TEST_LONG)

const text = 'La médiathèque ouvre ses portes à tous les lecteurs du quartier. '
const items = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({
    guid: `${prefix}-${n}`,
    title: `Heure du conte ${prefix} ${n}`,
    description: `<p>${text.repeat(1 + (n % 4))}</p>`,
    link: `https://m.example/${prefix}/${n}`,
  }))

test('a batch needs the same number of statements for any number of items', async () => {
  const made = await source('', { ...values, moderation_status: 'pending' })
  const countOf = async (count: number, prefix: string) => {
    say(made, rss(...items(count, prefix)))
    const inOne = { read: (input: Parameters<typeof readItems>[0]) => readItems(input) }
    return (await statementsAbout(/import_|publication/, () => run(made, inOne))).length
  }
  const one = await countOf(1, 'one')
  expect(await countOf(150, 'many')).toBe(one)
})

const many = isLong ? 20_000 : 1_000

test(`an import of ${many} items keeps memory flat${isLong ? ', at 1 000 items/s or more' : ''}`, async () => {
  const made = await source(rss(...items(many, 'volume')), values)
  const heap = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed / 1e6
  }
  const seen: number[] = []
  const started = performance.now()
  const result = await run(made, {
    read: async function* (input, signal) {
      for await (const batch of readInWorker(input, signal)) {
        seen.push(heap())
        yield batch
      }
    },
  })
  const seconds = (performance.now() - started) / 1_000
  expect(result).toMatchObject({ status: 'succeeded', fetched: many, created: many })
  const { rows } = await world.pool.query("select reltuples from pg_class where relname = 'publications'")
  expect(rows[0].reltuples, 'gathers statistics').toBeGreaterThanOrEqual(many)
  // Retained memory does not grow with the items read.
  expect(Math.max(...seen.slice(-3)) - Math.max(...seen.slice(0, 3))).toBeLessThan(100)
  if (isLong) {
    const rate = Math.round(many / seconds)
    process.stdout.write(`imported ${rate} items/s, heap ${seen.map(Math.round).join(' ')} MB\n`)
    expect(rate).toBeGreaterThan(1_000)
  }
  expect(await run(made)).toMatchObject({ fetched: many, unchanged: many })
}, 300_000)
