import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { sorts } from './sorts.ts'

const world = await openWorld()
const { as, db, acteur } = world
const moderator = await as('moderator')

const states = ['pending', 'rejected', 'published', 'approved'] as const

/** A change by another user between two pages, to the publication at this position. */
const action = fc.record({
  action: fc.constantFrom('insert', 'delete', 'restore', 'decide', 'report', 'vanish'),
  place: fc.nat({ max: 40 }),
  state: fc.constantFrom(...states),
  day: fc.nat({ max: 3 }),
})
const columnOf = (sort: string) => sort.replace(/_(asc|desc)$/, '').replace('titre', 'sort_title')

test('paging by cursor shows each unchanged publication exactly once, during any concurrent changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sorts),
      fc.array(fc.array(action, { maxLength: 3 }), { minLength: 4, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (sort, steps, perPage) => {
        const author = await acteur({ valide: true })
        const add = (day: number, title = `Titre ${day}`) =>
          insertPublication(world, {
            acteur_id: author.id,
            title,
            date_debut: day === 0 ? null : `2099-05-0${day}`,
            publie_le: day === 1 ? null : new Date(`2026-05-0${day + 1}`),
            ...(day === 1 && ({ moderation_status: 'pending', valide: false } as const)),
            created_at: new Date(`2026-05-0${day + 1}`),
          })
        for (let n = 0; n < 14; n++) await add(n % 4)
        const column = sql.ref<string>(columnOf(sort))
        const valuesNow = async () => {
          const { rows } = await sql<{ id: string; value: string | null }>`
            select id, ${column}::text as value from publications
            where acteur_id = ${author.id} and deleted_at is null`.execute(db)
          return new Map(rows.map(({ id, value }) => [id, value]))
        }
        const start = await valuesNow()
        const stays = new Set(start.keys())
        const seen: string[] = []
        let next: string | null = null
        for (let index = 0; index === 0 || next !== null; index++) {
          const after: string = next === null ? '' : `&after=${next}`
          const { body } = await moderator.get(
            `/admin/publications?acteur_id=${author.id}&sort=${sort}&per_page=${perPage}${after}`,
          )
          seen.push(...body.data.map(({ id }: { id: string }) => id))
          next = body.meta.next
          for (const { action, place, state, day } of steps[index] ?? []) {
            const ids = [...start.keys()]
            const path = `/admin/publications/${ids[place % ids.length]}`
            if (action === 'insert') await add(day)
            if (action === 'delete') await moderator.delete(path)
            if (action === 'restore') await moderator.patch(`${path}/restore`)
            if (action === 'decide') await moderator.patch(`${path}/moderate`, { moderation_status: state })
            if (action === 'report')
              await world.post(`${path.replace('/admin', '')}/report`, { reason: uuidv7() })
            if (action === 'vanish')
              await sql`delete from publications where id = ${ids[place % ids.length]}`.execute(db)
          }
          const now = await valuesNow()
          for (const id of stays) if (!now.has(id) || now.get(id) !== start.get(id)) stays.delete(id)
        }
        for (const id of stays) expect(seen.filter((one) => one === id)).toHaveLength(1)
      },
    ),
    { numRuns: propertyRuns(1 / 8) },
  )
})
