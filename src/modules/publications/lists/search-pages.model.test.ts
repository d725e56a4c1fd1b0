import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { as, db } = world
const moderator = await as('moderator')
const reader = world.client({})

/** A publication: whether it has the word, in the title or the text, and its day, which others may share. */
const publication = fc.record({
  word: fc.constantFrom('title', 'body', 'none'),
  day: fc.integer({ min: 1, max: 4 }),
})
type Publication = { word: 'title' | 'body' | 'none'; day: number }

const insert = ({ word, day }: Publication) =>
  insertPublication(world, {
    title: word === 'title' ? 'Grande tombola' : 'Loto',
    body: word === 'body' ? 'Suivi d’une tombola.' : 'Salle des fêtes.',
    publie_le: new Date(`2026-05-0${day}`),
    created_at: new Date(`2026-05-0${day}`),
  })

async function matchesInOrder(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from publications where title like '%tombola%' or body like '%tombola%'
    order by created_at desc, id desc`.execute(db)
  return rows.map(({ id }) => id)
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

async function numbered(client: typeof reader, path: string, perPage: number): Promise<string[]> {
  const seen: string[] = []
  for (let page = 1; ; page++) {
    const { body } = await client.get(`${path}?q=tombola&per_page=${perPage}&page=${page}`)
    if (body.data.length === 0) return seen
    seen.push(...idsOf(body))
  }
}

test('the pages of a search show each match once, in order, whatever was inserted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(publication, { minLength: 1, maxLength: 14 }),
      fc.array(publication, { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (before, meanwhile, perPage) => {
        await db.deleteFrom('publications').execute()
        for (const one of before) await insert(one)
        const matches = await matchesInOrder()
        expect(await numbered(reader, '/publications', perPage)).toEqual(matches)
        expect(await numbered(moderator, '/admin/publications', perPage)).toEqual(matches)

        // By cursor, also while others are inserted, newer ones and older ones.
        const inserted = [...meanwhile]
        const seen: string[] = []
        let next: string | null = ''
        while (next !== null) {
          const after: string = next === '' ? '' : `&after=${next}`
          const { body } = await moderator.get(`/admin/publications?q=tombola&per_page=${perPage}${after}`)
          seen.push(...idsOf(body))
          next = body.meta.next
          const one = inserted.pop()
          if (one) await insert(one)
        }
        expect(seen.filter((id) => matches.includes(id))).toEqual(matches)
        const now = await matchesInOrder()
        expect(seen).toEqual(now.filter((id) => seen.includes(id)))
      },
    ),
    { numRuns: propertyRuns(1 / 8) },
  )
})
