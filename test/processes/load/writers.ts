import { expect } from 'vitest'
import type { Load, Writer } from './load.ts'
import type { Stage } from './stage.ts'

/** What is done when it is answered: one row changes, or one is made. */
export function writers({ ask, query }: Load, { admin, club, town, publication }: Stage) {
  const { token } = admin
  const trailOf = 'select count(*)::int from audit_log where entity_id = r.id::text'

  /** The last value that was answered is there, and each version has its row in the trail. */
  const expectLast = async (table: string, id: string, field: string, last: unknown) => {
    const [row] = await query(
      `select ${field} as is, version - 1 as changes, (${trailOf}) as trail,
         (select after ->> '${field}' from audit_log where entity_id = r.id::text order by id desc limit 1) as told
       from ${table} r where id = $1`,
      [id],
    )
    expect(row).toEqual({ is: last, changes: row.trail, trail: row.trail, told: `${last}` })
  }

  let population = 0
  const communes: Writer = {
    async work(number) {
      await ask('PATCH', `/admin/communes/${town}`, { token, body: { population: number } })
      population = number
    },
    check: () => expectLast('communes', town, 'population', population),
  }

  const statuses = ['rejected', 'approved', 'published'] as const
  let status = ''
  const moderation: Writer = {
    async work(number) {
      const moderation_status = statuses[number % 3] ?? 'rejected'
      await ask('PATCH', `/admin/publications/${publication}/moderate`, {
        token,
        body: { moderation_status },
      })
      status = moderation_status
    },
    check: () => expectLast('publications', publication, 'moderation_status', status),
  }

  const written = new Map<number, string>()
  const publications: Writer = {
    async work(number) {
      const body = { title: `Fête ${number}`, body: `Le texte de la fête ${number}.`, acteur_id: club.id }
      const asked = { token, source: 'public', key: `publication-${number}`, body }
      // Every third is sent again, as by who heard nothing.
      for (let time = 0; time < (number % 3 === 0 ? 2 : 1); time++)
        written.set(number, (await ask('POST', '/publications', asked)).data.id)
    },
    async check() {
      const rows = await query(
        `select id, (${trailOf}) as trail, (select count(*)::int from publication_communes c
           where c.publication_id = r.id) as communes
         from publications r where acteur_id = $1 and id <> $2`,
        [club.id, publication],
      )
      const expected = [...written.values()].map((id) => ({ id, trail: 1, communes: 1 }))
      expect(byId(rows)).toEqual(byId(expected))
    },
  }

  return { communes, moderation, publications }
}

const byId = <Row extends { id: string }>(rows: Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
