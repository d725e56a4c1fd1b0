import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { duplicateKey } from '../../publications/writing/duplicates.ts'
import { allowPrivate, importsKit, rss } from '../imports.test-kit.ts'
import { readItems } from '../readers/read.ts'
import type { Run } from '../schema.ts'
import { doRun, type Reading, tryImport } from './rules.ts'

const world = await openWorld({ env: allowPrivate })
const { db, acteur, commune } = world
const kit = await importsKit(world)
const town = await commune()

/** Few values per field, so that they collide. */
const item = fc.record({
  guid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  title: fc.constantFrom('Un', 'Deux', 'Trois'),
  description: fc.constantFrom('Texte', 'Autre texte', '<p>Encore</p>', 'x'.repeat(20_001)),
  link: fc.option(fc.constantFrom('one', 'two', 'twin'), { nil: undefined }),
})
/** An action of a person on one of the publications between two runs. */
const action = fc.record({
  kind: fc.constantFrom('edit', 'delete', 'reject', 'restore', 'feature'),
  which: fc.nat(5),
})
const step = fc.record({
  items: fc.array(item, { maxLength: 9 }),
  actions: fc.array(action, { maxLength: 3 }),
  killAfter: fc.nat(4),
})
const history = fc.record({
  skip_duplicates: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 3 }),
})

test('for any feeds and actions a dry run predicts the real run, a second run changes nothing, and a killed and repeated run ends like an uninterrupted one', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ skip_duplicates, steps }) => {
      const calm = await openSource(skip_duplicates)
      const killed = await openSource(skip_duplicates)
      for (const { items, actions, killAfter } of steps) {
        for (const one of [calm, killed]) await one.say(items)
        const before = await calm.state()
        const dry = await calm.dry()
        expect(await calm.state()).toEqual(before)
        const real = await calm.run()
        expect(countsOf(real)).toEqual(countsOf(dry))
        expect(real.status).toBe(dry.status)
        const after = await calm.state()

        expect(countsOf(await killed.runKilled(killAfter))).toEqual(countsOf(real))
        expect(await killed.state()).toEqual(after)

        const again = await calm.run()
        expect(again).toMatchObject({ created: 0, updated: 0, fetched: real.fetched })
        expect(await calm.state()).toEqual(after)
        for (const { kind, which } of actions) for (const one of [calm, killed]) await one.meddle(kind, which)
      }
    }),
    { numRuns: propertyRuns(1 / 10) },
  )
}, 600_000)

const countsOf = ({ fetched, created, updated, unchanged, duplicates, rejected }: Run) => ({
  fetched,
  created,
  updated,
  unchanged,
  duplicates,
  rejected,
})

let number = 0

/** Each source has its own acteur and URLs, so that sources are never duplicates of each other. */
async function openSource(skip_duplicates: boolean) {
  const host = `https://source-${++number}.example`
  const twin = `${host}/twin`
  const signed = { acteur_id: null, type_id: null, title: 'x', body: 'x', date_debut: null }
  await insertPublication(world, {
    source_url: twin,
    duplicate_key: duplicateKey({ ...signed, source_url: twin }),
  })
  const { id: acteur_id } = await acteur({ commune_id: town.id, valide: true })
  const source = await kit.source('', { acteur_id, moderation_status: 'published', skip_duplicates })
  const reading: Reading = { ...kit.reading, read: readByTwo }
  const publications = () => kit.publications(source)

  return {
    // Each item has its own text: a duplicate within the source is left out until the item that it repeats has changed,
    // which a second run may be the first to see.
    say: (items: { guid: string; description: string; link?: string | undefined }[]) =>
      kit.say(
        source,
        rss(
          ...items.map(({ link, description, ...said }) => ({
            ...said,
            description: `${description} ${said.guid}`,
            ...(link && { link: `${host}/${link}` }),
          })),
        ),
      ),
    dry: () => tryImport(world, operator, source.id, reading),
    run: () => kit.run(source, reading),
    async runKilled(after: number) {
      const asked = await kit.admin.post(`${kit.at(source.id)}/run`)
      const { id } = asked.body.data
      const killing: Reading = { ...reading, read: (input) => killAfter(after, readByTwo(input)) }
      await doRun(world, id, killing).catch((error: Error) => expect(error.message).toBe('killed'))
      await doRun(world, id, reading)
      return (await kit.admin.get(`${kit.at(source.id)}/runs?per_page=1`)).body.data[0]
    },
    async state() {
      return (await publications()).map((row) => ({
        external_id: row.external_id,
        title: row.title,
        body: row.body,
        source_url: row.source_url?.replace(host, ''),
        moderation_status: row.moderation_status,
        valide: row.valide,
        en_avant: row.en_avant,
        isDeleted: row.deleted_at !== null,
      }))
    },
    async meddle(kind: string, which: number) {
      const one = (await publications())[which]
      if (one === undefined) return
      const set = {
        edit: { title: 'À la main' },
        delete: { deleted_at: new Date() },
        reject: { moderation_status: 'rejected', valide: false },
        restore: { deleted_at: null },
        feature: { en_avant: true },
      }[kind]
      await db
        .updateTable('publications')
        .set(set ?? {})
        .where('id', '=', one.id)
        .execute()
    },
  }
}

/** Yields several batches even for a short feed. */
async function* readByTwo(input: Parameters<typeof readItems>[0]) {
  for await (const batch of readItems(input))
    for (let at = 0; at < batch.length; at += 2) yield batch.slice(at, at + 2)
}

async function* killAfter<T>(count: number, batches: AsyncIterable<T>) {
  let left = count
  for await (const batch of batches) {
    if (left-- === 0) throw new Error('killed')
    yield batch
  }
}
