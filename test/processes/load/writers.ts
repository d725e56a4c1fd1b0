import { expect } from 'vitest'
import type { Load, Writer } from './load.ts'
import type { Stage } from './stage.ts'

/** Work that is complete with its response: one row is changed or created. */
export function writers(load: Load, { admin, club, hall, town, publication }: Stage) {
  const { ask, query, untilSome } = load
  const { token } = admin
  const auditedValues = 'select count(*)::int from audit_log where entity_id = r.id::text'

  /** Expects the last acknowledged value, and an audit entry for each version. */
  const expectLast = async (table: string, id: string, field: string, last: unknown) => {
    const [row] = await query(
      `select ${field} as is, version - 1 as changes, (${auditedValues}) as audit_entries,
         (select after ->> '${field}' from audit_log where entity_id = r.id::text order by id desc limit 1) as told
       from ${table} r where id = $1`,
      [id],
    )
    expect(row).toEqual({
      is: last,
      changes: row.audit_entries,
      audit_entries: row.audit_entries,
      told: `${last}`,
    })
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
      // Every third is retried, as if the response was lost.
      for (let time = 0; time < (number % 3 === 0 ? 2 : 1); time++)
        written.set(number, (await ask('POST', '/publications', asked)).data.id)
    },
    async check() {
      const rows = await query(
        `select id, (${auditedValues}) as audit_entries, (select count(*)::int from publication_communes c
           where c.publication_id = r.id) as communes
         from publications r where acteur_id = $1 and id <> $2`,
        [club.id, publication],
      )
      const expected = [...written.values()].map((id) => ({ id, audit_entries: 1, communes: 1 }))
      expect(byId(rows)).toEqual(byId(expected))
    },
  }

  const idOfAct = (number: number) => `01890000-0000-7000-8000-${`${number}`.padStart(12, '0')}`
  let published = 0
  const acts: Writer = {
    async work(number) {
      const id = idOfAct(number)
      // Without the upload, whose PDF would take a second to decode.
      await untilSome(insertedAct, [id, hall.id])
      await untilSome(insertedFile, [id])
      const path = `/mairie/acteurs/${hall.id}/acts/${id}/publish`
      await ask('PATCH', path, { token, source: 'mairie', doneAlready: 'conflict' })
      published = number
    },
    async check() {
      const rows = await query(
        `select id, state, (${auditedValues}) as audit_entries from acts r where state <> 'draft' order by id`,
      )
      const of = (number: number) => ({ id: idOfAct(number), state: 'published', audit_entries: 1 })
      expect(rows).toEqual(Array.from({ length: published }, (_, index) => of(index + 1)))
      // Each has its seal, and each seal follows the one before.
      const seals = await query('select number::int, act_id from act_seals order by number')
      expect(seals).toEqual(rows.map(({ id }, index) => ({ number: index + 1, act_id: id })))
    },
  }

  return { communes, moderation, publications, acts }
}

const insertedAct = `
  insert into acts (id, acteur_id, kind, title, date, author_first_name, author_name, author_quality, sha256, bytes, pages, has_text)
  values ($1::uuid, $2, 'arrete', 'Arrêté', '2026-03-03', 'Camille', 'Roux', 'Maire',
    encode(sha256($1::text::bytea), 'hex'), length($1::text), 1, false)
  on conflict (id) do update set title = excluded.title returning id`
const insertedFile = `
  insert into act_files (act_id, sha256, bytes, content, text, words)
  values ($1::uuid, encode(sha256($1::text::bytea), 'hex'), length($1::text), $1::text::bytea, '', '')
  on conflict (act_id) do update set words = excluded.words returning act_id`

const byId = <Row extends { id: string }>(rows: Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
