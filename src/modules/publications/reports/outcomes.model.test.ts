import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { groundsKit } from '../../grounds/grounds.test-kit.ts'
import { copyPublication } from '../publications.test-kit.ts'
import { expireReports } from './expiring.ts'
import { reportsKit } from './reports.test-kit.ts'

/*
 * Random histories of a publication that people report while it is decided, corrected, deleted, restored, hidden with its acteur,
 * and decisions are undone. After each step a case is open exactly while somebody's report waits, and whoever waits for a case
 * that is over has one outcome of it. In the end each reporter got one mail for each outcome.
 */

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
const { db } = world
const { written } = groundsKit(world)
const { another, send } = reportsKit(world)
const admin = await world.as('admin')
const kinds = [
  ...([
    'report',
    'report',
    'report',
    'publish',
    'reject',
    'wait',
    'schedule',
    'hide',
    'show',
    'toggle',
  ] as const),
  ...(['delete', 'restore', 'withdraw', 'take back', 'unfounded', 'correct', 'edit', 'duplicate'] as const),
  ...(['deactivate', 'activate', 'expire', 'undo', 'undo', 'send'] as const),
] as const
const step = fc.record({ kind: fc.constantFrom(...kinds), who: fc.nat(2), back: fc.nat(2) })
type Step = { kind: (typeof kinds)[number]; who: number; back: number }

let scenes = 0

test('whatever happens in whatever order, each reporter gets exactly one outcome of each case', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (history) => {
      const scene = await openScene()
      for (const one of history) {
        await scene.apply(one)
        await scene.check()
      }
      await scene.finish()
      for (const outcome of await scene.outcomes()) seen.add(outcome)
    }),
    { numRuns: propertyRuns(1 / 2) },
  )
  expect(seen.size).toBeGreaterThan(4)
})

async function openScene() {
  const one = await written({ date_debut: '2020-01-01' }, { can_publish: true })
  const number = ++scenes
  const { id, at, asOwner } = one
  const decisions: string[] = []
  const sent: string[] = []
  const decided = ({
    body,
  }: {
    body: { data?: { decision_id?: string }; meta?: { decision_id?: string } }
  }) => {
    const decision = body.data?.decision_id ?? body.meta?.decision_id
    if (decision) decisions.push(decision)
  }
  const moderate = async (body: object) => decided(await admin.patch(`${at}/moderate`, body))
  const mail = async () => {
    for (const { to, messageId } of await send()) sent.push(`${to} ${messageId}`)
  }
  const steps: Record<Step['kind'], (one: Step) => Promise<unknown>> = {
    report: async ({ who }) => {
      await world.post(
        `/publications/${id}/report`,
        { category: who === 0 ? 'wrong' : 'duplicate', email: `reporter-${number}-${who}@example.org` },
        another(),
      )
      // Most have confirmed their address, and so wait for each case, whatever the receipts.
      if (who > 0) await db.updateTable('reporters').set({ confirmed_at: new Date() }).execute()
    },
    publish: () => moderate({ moderation_status: 'published' }),
    reject: () => moderate({ moderation_status: 'rejected', ground: 'spam' }),
    wait: () => moderate({ moderation_status: 'pending' }),
    schedule: () => moderate({ moderation_status: 'approved' }),
    hide: async () => decided(await admin.patch(`${at}/valide`, { valide: false })),
    show: async () => decided(await admin.patch(`${at}/valide`, { valide: true })),
    toggle: async () => decided(await admin.patch(`${at}/valide`)),
    delete: async () => decided(await admin.delete(at)),
    restore: async () => decided(await admin.patch(`${at}/restore`)),
    withdraw: () => asOwner.delete(`/publications/${id}`),
    'take back': () => asOwner.patch(`/publications/${id}/restore`),
    unfounded: async () => decided(await admin.post(`${at}/reports/close`)),
    correct: ({ back }) => admin.patch(at, { title: `Corrigée ${back}` }),
    edit: ({ back }) => asOwner.patch(`/publications/${id}`, { title: `Modifiée ${back}` }),
    duplicate: async () => {
      const [other] = await copyPublication(world, id, 1)
      decided(await admin.post(`/admin/publications/${other}/keep`, { reject: [id] }))
    },
    deactivate: () => admin.patch(`/admin/acteurs/${one.acteur.id}/active`, { active: false }),
    activate: () => admin.patch(`/admin/acteurs/${one.acteur.id}/active`, { active: true }),
    expire: () => expireReports(db, 100),
    undo: async ({ back }) => {
      const decision = decisions.at(-1 - back)
      if (decision) await admin.post(`/admin/decisions/${decision}/undo`)
    },
    send: mail,
  }
  const wrong = async () => {
    const { rows } = await sql`
      select c.outcome, c.followed_by, f.reporter_id, 'a reporter who waits' as fault
      from report_cases c join case_reporters f on f.case_id = c.id join reporters r on r.id = f.reporter_id
      where c.publication_id = ${id} and c.followed_by is distinct from 'reopened' and (f.is_told or r.confirmed_at is not null)
        and (select count(*) from report_mails m where m.case_id = c.id and m.reporter_id = f.reporter_id
          and m.kind = 'outcome') <> (c.ended_at is not null)::int
      union all
      select c.outcome, c.followed_by, null, 'a case' from report_cases c
      join publications p on p.id = c.publication_id join acteurs a on a.id = p.acteur_id
      where c.publication_id = ${id} and c.followed_by is distinct from 'reopened'
        and (c.ended_at is null) <> (p.deleted_at is null and a.active and exists (
          select from publication_reports r where r.case_id = c.id and r.closed_at is null))
      union all
      select null, null, null, 'a report without an open case' from publication_reports r
      join publications p on p.id = r.publication_id join acteurs a on a.id = p.acteur_id
      where r.publication_id = ${id} and r.closed_at is null and p.deleted_at is null and a.active
        and not exists (select from report_cases c where c.id = r.case_id and c.ended_at is null)`.execute(db)
    return rows
  }
  return {
    apply: (one: Step) => steps[one.kind](one),
    check: async () => expect(await wrong()).toEqual([]),
    async finish() {
      await steps.activate({ kind: 'activate', who: 0, back: 0 })
      await steps.restore({ kind: 'restore', who: 0, back: 0 })
      await steps.unfounded({ kind: 'unfounded', who: 0, back: 0 })
      await mail()
      expect(await wrong()).toEqual([])
      expect(new Set(sent).size).toBe(sent.length)
      const { rows } = await sql<{ email_status: string }>`
        select distinct m.email_status from report_mails m join report_cases c on c.id = m.case_id
        where c.publication_id = ${id}`.execute(db)
      expect(rows.filter(({ email_status }) => email_status !== 'sent')).toEqual([])
      const { rows: open } = await sql`
        select from report_cases where publication_id = ${id} and ended_at is null`.execute(db)
      expect(open).toEqual([])
    },
    async outcomes() {
      const { rows } = await sql<{ outcome: string }>`
        select outcome from report_cases where publication_id = ${id}`.execute(db)
      return rows.map(({ outcome }) => outcome)
    },
  }
}
