import type { Insertable } from 'kysely'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { retentionHandlers, watchRetention } from './module.ts'
import { listRuns } from './queries.ts'
import { applyRetention, tryRetention } from './rules.ts'

const { acteur, user, post, db, config, database } = await openWorld()
const months = config.retentionMonths
const { signal } = new AbortController()

const personal = {
  nom: 'Odile',
  email: 'odile@example.org',
  telephone: '01 99 00 12 34',
  message: 'Je suis la présidente.',
}
function monthsAgo(count: number, days = 0): Date {
  const date = new Date()
  date.setUTCMonth(date.getUTCMonth() - count)
  date.setUTCDate(date.getUTCDate() - days)
  return date
}

async function claim(values: Partial<Insertable<tables.Claims>> = {}) {
  const id = uuidv7()
  const acteur_id = (await acteur()).id
  await db
    .insertInto('claims')
    .values({ id, acteur_id, ...personal, ...values })
    .execute()
  return id
}
const stored = (id: string) =>
  db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function publication() {
  const id = uuidv7()
  const content = { slug: id, title: 'Fête', body: 'Samedi', duplicate_key: `s:${id.replaceAll('-', '')}` }
  await db
    .insertInto('publications')
    .values({ id, ...content })
    .execute()
  return id
}

async function report(closed_at: Date | null, publication_id: string) {
  const id = uuidv7()
  const values = {
    id,
    publication_id,
    caller_key: `user ${id}`,
    day: '2024-01-01',
    message: 'Faux',
    closed_at,
  }
  await db.insertInto('publication_reports').values(values).execute()
  return id
}
const reports = async () =>
  (await db.selectFrom('publication_reports').select('id').orderBy('id').execute()).map(({ id }) => id)

test('decided or expired claims lose all personal data except the accounts after their period', async () => {
  const { id: user_id } = await user()
  const rejected = await claim({ user_id, status: 'rejected', reason: 'Non', ended_at: monthsAgo(24, 1) })
  const approved = await claim({ user_id, status: 'approved', ended_at: monthsAgo(30) })
  const expired = await claim({ status: 'expired', ended_at: monthsAgo(25) })
  const recent = await claim({ status: 'rejected', reason: 'Non', ended_at: monthsAgo(24, -1) })
  const pending = await claim({ created_at: monthsAgo(40) })
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ claims: 3, reports: 0 })
  const nothing = { nom: null, email: null, telephone: null, message: '', reason: null, search: '' }
  expect(await stored(rejected)).toMatchObject({ ...nothing, user_id, pseudonymised_at: expect.any(Date) })
  expect(await stored(approved)).toMatchObject({ ...nothing, user_id, status: 'approved' })
  expect(await stored(expired)).toMatchObject(nothing)
  for (const id of [recent, pending])
    expect(await stored(id)).toMatchObject({ ...personal, pseudonymised_at: null })
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ claims: 0, reports: 0 })
})

test('closed reports are deleted after their period; open ones stay', async () => {
  const about = await publication()
  await report(monthsAgo(12, 1), about)
  await report(monthsAgo(40), about)
  const kept = [await report(monthsAgo(12, -1), about), await report(null, about)]
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ claims: 0, reports: 2 })
  expect(await reports()).toEqual(kept.sort())
})

test('closed support threads are deleted with their messages after their period; open ones stay', async () => {
  const thread = async (closed_at: Date | null) => {
    const answer = await post('/support/messages', {
      email: 'odile@example.org',
      subject: 'Bac',
      body: 'Plein',
    })
    const values = { closed_at, status: closed_at === null ? 'open' : 'closed', created_at: monthsAgo(60) }
    await db.updateTable('support_threads').set(values).where('id', '=', answer.body.data.id).execute()
    return answer.body.data.id as string
  }
  await thread(monthsAgo(36, 1))
  const kept = [await thread(monthsAgo(36, -1)), await thread(null)]
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ threads: 1 })
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ threads: 0 })
  const rows = await db.selectFrom('support_messages').select('thread_id').orderBy('thread_id').execute()
  expect(rows.map(({ thread_id }) => thread_id)).toEqual(kept.sort())
})

test('works in batches up to a limit per run; the next run continues', async () => {
  const about = await publication()
  const before = (await reports()).length
  for (let count = 0; count < 25; count++) await report(monthsAgo(20), about)
  const sizes = { batch: 4, batches: 5 }
  expect(await applyRetention(db, modules, months, signal, sizes)).toMatchObject({ claims: 0, reports: 20 })
  expect(await applyRetention(db, modules, months, signal, sizes)).toMatchObject({ claims: 0, reports: 5 })
  expect(await reports()).toHaveLength(before)
})

test('with two concurrent instances each row is handled once', async () => {
  const about = await publication()
  for (let count = 0; count < 40; count++) await report(monthsAgo(20), about)
  const sizes = { batch: 3, batches: 100 }
  const counts = await Promise.all([1, 2].map(() => applyRetention(db, modules, months, signal, sizes)))
  const { reports: rest = 0 } = await applyRetention(db, modules, months, signal)
  expect(counts.reduce((sum, { reports = 0 }) => sum + reports, rest)).toBe(40)
})

test('skips a locked row until the next run', async () => {
  const id = await claim({ status: 'expired', ended_at: monthsAgo(30) })
  const tx = await db.startTransaction().execute()
  await tx.selectFrom('claims').select('id').where('id', '=', id).forUpdate().execute()
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ claims: 0, reports: 0 })
  await tx.rollback().execute()
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ claims: 1, reports: 0 })
})

test('a failing rule does not stop the others, and the job is retried', async () => {
  await report(monthsAgo(20), await publication())
  const before = (await reports()).length
  await run(database.owner, 'alter table claims rename to claims_away')
  await expect(applyRetention(db, modules, months, signal)).rejects.toThrow('a part of the retention failed')
  await run(database.owner, 'alter table claims_away rename to claims')
  expect(await reports()).toHaveLength(before - 1)
})

test('the job logs what was deleted; it stops when the service stops', async () => {
  await claim({ status: 'expired', ended_at: monthsAgo(30) })
  const lines: object[] = []
  const log = { info: (line: object) => lines.push(line) } as never
  const [, handler] = retentionHandlers({ db, log, config, modules } as never)
  const perform = (given: AbortSignal) => handler?.perform({}, { id: 'job', attempt: 1, signal: given })
  await expect(perform(AbortSignal.abort())).rejects.toThrow()
  await perform(signal)
  expect(lines).toMatchObject([{ counts: { claims: 1, reports: 0, erasures: 0 } }])
})

test('a dry run reports all batches and rolls back', async () => {
  await applyRetention(db, modules, months, signal)
  await claim({ status: 'expired', ended_at: monthsAgo(30) })
  const about = await publication()
  for (let count = 0; count < 7; count++) await report(monthsAgo(20), about)
  const before = [await reports(), await listRuns(db)]
  const wouldGo = { claims: 1, reports: 7, erasures: 0 }
  const sizes = { batch: 3, batches: 100 }
  expect(await tryRetention(db, modules, months, signal, sizes)).toMatchObject(wouldGo)
  expect([await reports(), await listRuns(db)]).toEqual(before)
  expect(await applyRetention(db, modules, months, signal, sizes)).toMatchObject(wouldGo)
})

test('the digest of an erased identity is deleted when no earlier token can still be valid', async () => {
  const erased = (digest: string, erased_at: Date) => ({ digest, erased_at, tokens_valid_from: erased_at })
  const rows = [erased('old', monthsAgo(13, 1)), erased('recent', monthsAgo(13, -1))]
  await db.insertInto('erased_identities').values(rows).execute()
  expect(await applyRetention(db, modules, months, signal)).toMatchObject({ erasures: 1 })
  expect(await db.selectFrom('erased_identities').select('digest').execute()).toEqual([{ digest: 'recent' }])
})

test('metrics report the last run of any instance and its time', async () => {
  await applyRetention(db, modules, months, signal)
  await report(monthsAgo(20), await publication())
  await applyRetention(db, modules, months, signal)
  const registry = new Registry()
  watchRetention(registry, { reads: db })
  const told = await registry.metrics()
  expect(told).toContain('retention_last_run_rows{part="reports"} 1')
  expect(told).toContain('retention_last_run_rows{part="claims"} 0')
  const [, at = ''] = /retention_last_run_timestamp_seconds\{part="claims"\} (\S+)/.exec(told) ?? []
  expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(600)
})
