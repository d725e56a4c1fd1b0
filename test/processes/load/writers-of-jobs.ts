import { expect } from 'vitest'
import { sign } from '../../../src/modules/payments/inbox/signature.ts'
import { event, subscriptionObject } from '../../../src/modules/payments/payments.test-kit.ts'
import { signingSecret } from '../../support/factories.ts'
import type { Load, Writer } from './load.ts'
import type { Outside } from './outside.ts'
import type { Stage } from './stage.ts'

export const itemsInFeed = 1_000

type Around = { load: Load; stage: Stage; outside: Outside }

/** Work that continues after the response: each has an effect through a job, once. */
export function writersOfJobs(load: Load, stage: Stage, outside: Outside) {
  const around = { load, stage, outside }
  return {
    claims: claims(around),
    support: support(around),
    payments: payments(around),
    imports: imports(around),
    syncs: syncs(around),
  }
}

const address = (number: number) => `odile.${number}@example.org`

/** `sent`: arrived once. `uncertain`: arrived or not. No other state remains. */
function expectMails(outside: Outside, rows: { mail: string; email_status: string }[]) {
  const arrived = outside.arrived()
  for (const { mail, email_status } of rows) {
    const times = [...arrived].find(([id]) => id.includes(mail))?.[1] ?? 0
    expect({ mail, email_status, times }).toEqual(
      email_status === 'uncertain'
        ? { mail, email_status, times: Math.min(times, 1) }
        : { mail, email_status: 'sent', times: 1 },
    )
  }
}

function claims({ load: { ask, query }, stage: { admin }, outside }: Around): Writer {
  const { token } = admin
  const decided: string[] = []
  return {
    async work(number) {
      const body = { nom: `Club ${number}`, type: 'association' }
      const { data } = await ask('POST', '/admin/acteurs', { token, key: `acteur-${number}`, body })
      await ask('PATCH', `/admin/acteurs/${data.id}/validate`, { token, body: { valide: true } })
      const claim = { acteur_id: data.id, message: 'J’en suis la trésorière.', email: address(number) }
      const asked = await ask('POST', '/claims', { source: 'public', key: `claim-${number}`, body: claim })
      const decision = { status: 'rejected', reason: 'Un autre contact nous est connu.' }
      const doneAlready = 'claim_already_decided'
      await ask('PATCH', `/admin/claims/${asked.data.id}`, { token, body: decision, doneAlready })
      decided.push(asked.data.id)
    },
    async check() {
      const rows = await query(
        `select id, 'claim-decision-' || id as mail, status, email_status, (select count(*)::int from audit_log a
           where a.entity_id = c.id::text and action = 'claim.decide') as audit_entries
         from claims c`,
      )
      expect(rows.map(({ id, status, audit_entries }) => [id, status, audit_entries]).sort()).toEqual(
        decided.map((id) => [id, 'rejected', 1]).sort(),
      )
      expectMails(outside, rows)
    },
  }
}

function support({ load: { ask, query }, stage: { admin }, outside }: Around): Writer {
  const { token } = admin
  const answered: string[] = []
  return {
    async work(number) {
      const body = { email: address(number), subject: 'Bac non relevé', body: `Le bac ${number} déborde.` }
      const asked = await ask('POST', '/support/messages', {
        source: 'public',
        key: `message-${number}`,
        body,
      })
      const path = `/admin/messages/threads/${asked.data.id}/reply`
      const reply = { token, key: `reply-${number}`, body: { body: 'Nous nous en occupons.' } }
      answered.push((await ask('POST', path, reply)).data.id)
    },
    async check() {
      const rows = await query(
        `select id, 'support-' || id as mail, email_status from support_messages where direction = 'outbound'`,
      )
      expect(rows.map(({ id }) => id).sort()).toEqual(answered.toSorted())
      const [threads] = await query(
        'select count(*)::int as all, min(messages_count) as fewest, max(messages_count) as most from support_threads',
      )
      expect(threads).toEqual({ all: answered.length, fewest: 2, most: 2 })
      expectMails(outside, rows)
    },
  }
}

function payments({ load: { ask, query } }: Around): Writer {
  const delivered = new Map<string, string>()
  return {
    async work(number) {
      const object = subscriptionObject({ id: `sub_${number % 5}`, customer: 'cus_1' })
      const values = { id: `evt_${number}`, created: 1_795_000_000 + number }
      const body = event('customer.subscription.updated', object, values)
      // Every third is sent twice.
      for (let time = 0; time < (number % 3 === 0 ? 2 : 1); time++) {
        const headers = { 'payment-signature': await sign(JSON.stringify(body), signingSecret) }
        await ask('POST', '/webhooks/payment', { headers, body })
      }
      delivered.set(body.id, String(object.id))
    },
    async check() {
      const events = await query("select id from payment_events where status = 'processed'")
      expect(events.map(({ id }) => id).sort()).toEqual([...delivered.keys()].sort())
      const effects = await query('select event from effects')
      expect(effects.map((row) => row.event).sort()).toEqual([...delivered.keys()].sort())
      // The last event of each subscription determines its state.
      const rows = await query('select provider_subscription_id as id, status_by from subscriptions')
      const last = new Map([...delivered].map(([id, subscription]) => [subscription, id]))
      expect(new Map(rows.map(({ id, status_by }) => [id, status_by]))).toEqual(last)
    },
  }
}

function imports({ load: { ask, query, untilSome }, stage: { admin }, outside }: Around): Writer {
  const { token } = admin
  let source = ''
  let feeds = 0
  return {
    async work(number) {
      const kind = { nom: 'Agenda', type: 'rss', url: outside.feedUrl, moderation_status: 'published' }
      const made = await ask('POST', '/admin/import-sources', { token, key: 'source', body: kind })
      source = made.data.id
      const items = Array.from({ length: itemsInFeed }, (_, n) => ({
        guid: `${number}-${n}`,
        title: `Heure du conte ${number} ${n}`,
        description: `La médiathèque ouvre la porte ${n} de la semaine ${number}.`,
      }))
      outside.publish(items)
      const run = await ask('POST', `/admin/import-sources/${source}/run`, { token, key: `run-${number}` })
      const ended = `select status, fetched from import_runs where id = $1 and finished_at is not null`
      expect(await untilSome(ended, [run.data.id])).toEqual([{ status: 'succeeded', fetched: itemsInFeed }])
      feeds = number
    },
    async check() {
      const [all] = await query(
        `select count(*)::int as items, count(distinct publication_id)::int as publications,
           (select count(*)::int from publications where title like 'Heure du conte %') as made,
           (select count(*)::int from audit_log where action = 'publication.import') as audit_entries
         from import_items where source_id = $1`,
        [source],
      )
      const once = feeds * itemsInFeed
      expect(all).toEqual({ items: once, publications: once, made: once, audit_entries: once })
    },
  }
}

function syncs({ load: { ask, query, untilSome }, stage: { admin, ofRegistry }, outside }: Around): Writer {
  const { token } = admin
  let installed = 0
  return {
    async work(number) {
      outside.install(number)
      const path = `/admin/communes/${ofRegistry}/defibrillateurs/sync`
      const sync = await ask('POST', path, { token, key: `sync-${number}` })
      const ended = 'select status from defibrillateur_syncs where id = $1 and finished_at is not null'
      expect(await untilSome(ended, [sync.data.id])).toEqual([{ status: 'succeeded' }])
      installed = number
    },
    async check() {
      const rows = await query('select gid, absent_depuis as absent from defibrillateurs')
      const all = Array.from({ length: installed }, (_, n) => ({ gid: `${n + 1}`, absent: null }))
      expect(rows.toSorted((a, b) => a.gid - b.gid)).toEqual(all)
    },
  }
}
