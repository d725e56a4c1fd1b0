import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Channel } from '../addresses.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { type Delivery, type Outcome, recordOutcomes, settle, takeDeliveries } from './deliveries.ts'

const world = await openWorld()
const { db } = world
const { subscribe, subscribeBrowsers, mailer, expand, passTime, broadcastOf } = subscribersKit(world)
const { commune: town, secretary: editor } = await openMairie(world)
const path = `/mairie/communes/${town.id}/alertes`
/** Half of them by mail, half by browser. */
const people = 6
const channels = ['email', 'push'] as const
/** Browsers have two outcomes more. */
const outcomesOf = {
  email: ['sent', 'sent', 'uncertain', 'refused', 'failed'],
  push: ['sent', 'sent', 'uncertain', 'refused', 'failed', 'gone', 'postponed'],
} satisfies Record<Channel, Outcome[]>

/**
 * Several processes take deliveries, hand them over, die or are slow, while subscribers leave, time passes and the alerte is
 * corrected, ended, extended or withdrawn, in any order.
 */
type Step =
  | { kind: 'take'; process: number; channel: Channel; limit: number }
  | { kind: 'record'; process: number; outcomes: number[] }
  | { kind: 'die'; process: number }
  | { kind: 'leave'; who: number }
  | { kind: 'settle'; channel: Channel }
  | { kind: 'time' | 'expand' | 'withdraw' | 'raise' | 'end' | 'extend' }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('take' as const),
    process: fc.nat(2),
    channel: fc.constantFrom(...channels),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant('record' as const),
    process: fc.nat(2),
    outcomes: fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('die' as const), process: fc.nat(2) }),
  fc.record({ kind: fc.constant('leave' as const), who: fc.nat(people - 1) }),
  fc.record({
    kind: fc.constantFrom('time' as const, 'time' as const, 'expand' as const),
  }),
  fc.record({ kind: fc.constant('settle' as const), channel: fc.constantFrom(...channels) }),
  fc.record({ kind: fc.constantFrom('withdraw' as const, 'raise' as const) }),
  fc.record({ kind: fc.constantFrom('end' as const, 'extend' as const) }),
)

const browsers = (count: number) =>
  Array.from({ length: count }, () => ({
    endpoint: `https://push.example.org/${uuidv7()}`,
    p256dh: 'unused',
    auth: 'unused',
  }))

test('whatever happens in whatever order, nobody is handed a message twice unless the server refused it before', {
  timeout: 120_000,
}, async () => {
  const runs = propertyRuns(1 / 2)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await sql`delete from broadcasts`.execute(db)
      await sql`delete from resident_subscribers`.execute(db)
      const kept = [
        ...(await subscribe(people / 2, [town.id])),
        ...(await subscribeBrowsers(browsers(people / 2), [town.id])),
      ]
      const { body } = await editor.post(path, {
        ...{ titre: 'Eau', message: 'Coupée.', niveau: 'info', debut: '2026-01-01T00:00:00Z' },
      })
      const id = (await broadcastOf(body.data.id))?.id ?? ''
      await expand(mailer(), id, 4)
      const inHand = new Map<number, { channel: Channel; deliveries: Delivery[] }>()
      const given = new Map<string, Outcome | 'unknown'>()
      const gone = new Set<string>()
      let [isWithdrawn, isEnded] = [false, false]
      let last = 'ended'
      const change = (values: object) => editor.patch(`${path}/${body.data.id}`, values)
      async function extend() {
        isEnded = false
        await change({ fin: null })
      }
      for (const one of steps) {
        if (one.kind === 'take' && (inHand.get(one.process)?.deliveries ?? []).length === 0) {
          const { channel } = one
          const taken = await takeDeliveries(db, { id, channel, limit: one.limit, now: new Date() })
          if (isWithdrawn || isEnded) expect(taken).toBeNull()
          for (const { id: who } of taken?.deliveries ?? []) {
            expect(gone.has(who)).toBe(false)
            expect([undefined, 'failed', 'postponed']).toContain(given.get(who))
            given.set(who, 'unknown')
          }
          inHand.set(one.process, { channel, deliveries: taken?.deliveries ?? [] })
        } else if (one.kind === 'record') {
          const { channel, deliveries } = inHand.get(one.process) ?? { channel: 'email', deliveries: [] }
          const possible: Outcome[] = outcomesOf[channel]
          const outcomes = deliveries.map(({ id: who }, at) => ({
            id: who,
            outcome: possible[(one.outcomes[at] ?? 0) % possible.length] ?? 'sent',
          }))
          for (const { id: who, outcome } of outcomes) {
            given.set(who, outcome)
            if (outcome === 'gone') gone.add(who)
          }
          await recordOutcomes(db, id, outcomes)
          inHand.delete(one.process)
        } else if (one.kind === 'die') inHand.delete(one.process)
        else if (one.kind === 'leave') {
          const who = kept[one.who]?.id ?? ''
          gone.add(who)
          await sql`delete from resident_subscribers where id = ${who}`.execute(db)
        } else if (one.kind === 'time') await passTime()
        else if (one.kind === 'settle') await settle(db, id, one.channel, new Date())
        else if (one.kind === 'expand') await expand(mailer(), id, 2)
        else if (one.kind === 'raise' && !isWithdrawn) await change({ niveau: 'urgence' })
        else if (one.kind === 'end' && !isWithdrawn) {
          isEnded = true
          await change({ fin: '2026-01-02T00:00:00Z' })
        } else if (one.kind === 'extend' && !isWithdrawn) await extend()
        else if (one.kind === 'withdraw' && !isWithdrawn) {
          isWithdrawn = true
          if ((await broadcastOf(body.data.id))?.status !== 'ended') last = 'stopped'
          await editor.delete(`${path}/${body.data.id}`)
        }
      }
      if (isEnded && !isWithdrawn) await extend()
      // Everybody left ends in a final state, which is what the last outcome says.
      await expand(mailer(), id)
      for (let round = 0; round < 3 && !isWithdrawn; round++) {
        await passTime()
        for (const channel of channels) {
          const taken = await takeDeliveries(db, { id, channel, limit: 10, now: new Date() })
          const outcomes = (taken?.deliveries ?? []).map(({ id: who }) => ({
            id: who,
            outcome: 'sent' as const,
          }))
          for (const { id: who } of outcomes) given.set(who, 'sent')
          await recordOutcomes(db, id, outcomes)
          await settle(db, id, channel, new Date())
        }
      }
      const { rows } = await sql<{ id: string; status: string }>`
        select subscriber_id as id, status from broadcast_deliveries where broadcast_id = ${id}`.execute(db)
      const { rows: totals } = await sql<
        Record<'sent' | 'failed' | 'uncertain' | 'recipients', number> & { status: string }
      >`
        select status, recipients, sent, failed, uncertain from broadcasts where id = ${id}`.execute(db)
      const [total] = totals
      expect(total?.status).toBe(last)
      if (isWithdrawn) return
      const left = kept.filter(({ id: who }) => !gone.has(who))
      expect(rows.map((row) => row.id).toSorted()).toEqual(left.map((one) => one.id).toSorted())
      for (const { id: who, status } of rows) {
        const outcome = given.get(who)
        const expected = { sent: 'sent', refused: 'failed', uncertain: 'uncertain', unknown: 'uncertain' }
        expect(status).toBe(expected[(outcome ?? 'failed') as keyof typeof expected])
      }
      if (gone.size === 0) {
        const number = (status: string) => rows.filter((row) => row.status === status).length
        expect(total).toMatchObject({
          ...{ recipients: people, sent: number('sent'), failed: number('failed') },
          uncertain: number('uncertain'),
        })
      }
    }),
    { numRuns: runs },
  )
})
