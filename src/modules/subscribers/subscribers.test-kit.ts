import { sql } from 'kysely'
import type { World } from '../../../test/support/world.ts'
import { newSecret, tokenOf } from '../../platform/access/sealed-addresses.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createGuardedPost } from '../../platform/fetch/guarded-post.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { addressesOf, type Contents } from './addresses.ts'
import { settle } from './broadcasts/deliveries.ts'
import { expandBatch } from './broadcasts/expand.ts'
import { createPushSender, type PushSender } from './broadcasts/push-sender.ts'
import { sendSlice } from './broadcasts/send.ts'
import { sendPushSlice } from './broadcasts/send-pushes.ts'
import { proof, provingHandler } from './proving.ts'
import { ensurePushKeys } from './push-keys.ts'
import type { Browser } from './push-service.test-kit.ts'

type Kept = { id: string; address: string; token: string }

/** Subscribers of communes, and broadcasts driven by hand. */
export function subscribersKit(world: World) {
  const { db, config, jobs, log } = world
  const addresses = addressesOf(config.sessionKeys)
  const signal = new AbortController().signal

  /** Stores confirmed subscribers `name-0@example.org` and so on, each of these communes. */
  async function subscribe(
    count: number,
    communeIds: string[],
    alertes = 'all',
    name = 'zoe',
  ): Promise<Kept[]> {
    const named = Array.from({ length: count }, (_, at) => `${name}-${at}@example.org`)
    return store(
      named.map((address) => ({ channel: 'email', address })),
      communeIds,
      alertes,
    )
  }

  /** Stores browsers as subscribers of each of these communes. */
  async function subscribeBrowsers(browsers: Browser[], communeIds: string[], alertes = 'all') {
    const { publicKey: serverKey } = await ensurePushKeys(db, config.sessionKeys)
    const contents = browsers.map(({ endpoint: address, p256dh, auth }) => ({
      ...{ channel: 'push' as const, address, push: { p256dh, auth, serverKey } },
    }))
    return store(contents, communeIds, alertes)
  }

  async function store(
    contents: Omit<Contents, 'secret'>[],
    communeIds: string[],
    alertes: string,
  ): Promise<Kept[]> {
    const kept = contents.map((one) => {
      const [id, secret] = [uuidv7(), newSecret()]
      const sealed = addresses.seal(id, { ...one, secret })
      return { id, address: one.address, channel: one.channel, token: tokenOf(id, secret), sealed }
    })
    const rows = kept.map(({ id, channel, sealed }) => ({
      ...{ id, channel, key_id: sealed.key_id },
      address: sealed.address.toString('hex'),
      digest: sealed.address_digest.toString('hex'),
    }))
    await sql`
      insert into resident_subscribers (id, channel, address, address_digest, key_id)
      select id, channel, decode(address, 'hex'), decode(digest, 'hex'), key_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        id uuid, channel text, address text, digest text, key_id text)`.execute(db)
    await sql`
      insert into resident_choices (subscriber_id, commune_id, alertes, confirmed_at)
      select s, c, ${alertes}, now() from unnest(${kept.map(({ id }) => id)}::uuid[]) s,
        unnest(${communeIds}::uuid[]) c`.execute(db)
    return kept.map(({ id, address, token }) => ({ id, address, token }))
  }

  type Answer = MailOutcome | ((mail: Mail) => MailOutcome | Promise<MailOutcome>)
  /** A mailer that answers so, and notes what it accepted. */
  function mailer(answer: Answer = { status: 'sent' }) {
    const accepted: Mail[] = []
    const send = async (mail: Mail) => {
      const outcome = typeof answer === 'function' ? await answer(mail) : answer
      if (outcome.status === 'sent') accepted.push(mail)
      return outcome
    }
    return { accepted, mailer: { send, close: async () => {} } }
  }
  type Driven = { accepted: Mail[]; mailer: Mailer; db?: Database; clock?: () => Date }
  const tools = ({ mailer, db: other = db, clock = () => new Date() }: Driven) => ({
    ...{ db: other, jobs, config, log, clock, mailer },
  })

  return {
    addresses,
    subscribe,
    subscribeBrowsers,
    mailer,
    signal,
    async expand(driven: Driven, id: string, limit?: number) {
      while ((await expandBatch(tools(driven), id, limit)) === 'next');
    },
    /** Sends what is due, and settles. */
    async send(driven: Driven, id: string, { isRetry = false } = {}) {
      const all = tools(driven)
      await sendSlice(all, id, signal, { isRetry })
      return settle(all.db, id, 'email', all.clock())
    },
    /** A sender that trusts this certificate, as an instance that has just started. */
    pusher: (ca: string, { timeoutMs = 10_000, clock = () => new Date() } = {}) =>
      createPushSender({
        ...{ db, config, clock, patienceMs: 60_000 },
        post: createGuardedPost({ allowPrivate: true, ca, timeoutMs }),
      }),
    /** Sends what is due to browsers, and settles. */
    async sendPushes(push: PushSender, id: string) {
      const clock = () => new Date()
      for (;;) {
        const { late } = await sendPushSlice({ db, config, log, clock, push }, id, signal)
        await late
        const remaining = await settle(db, id, 'push', clock())
        if (remaining === null || remaining.afterMs > 0) return remaining
      }
    },
    /** Runs the first message of each browser that is still to prove itself; `isLast` as its last attempt. Returns how many failed. */
    async prove(push: PushSender, { isLast = false } = {}): Promise<number> {
      const { perform } = provingHandler({ db, config, log, clock: () => new Date() }, push)
      const { rows } = await sql<{ id: string }>`
        select id from resident_subscribers where not is_proven order by id`.execute(db)
      const attempt = isLast ? proof.settings.retries + 1 : 1
      const proving = rows.map(({ id }) => perform({ subscriberId: id }, { id: uuidv7(), attempt, signal }))
      return (await Promise.allSettled(proving)).filter(({ status }) => status === 'rejected').length
    },
    /** Ends every wait for a retry or for a process that died. `next_at` rounds to milliseconds: `now()` could lie ahead. */
    async passTime() {
      await sql`
        update broadcast_deliveries set next_at = now() - interval '1 second', status_at = now() - interval '3 minutes'
        where status in ('queued', 'sending')`.execute(db)
    },
    /** Returns a database whose statement number `at` fails, as if the process died before it. */
    dyingAt(at: number): Database {
      let count = 0
      return db.withPlugin({
        transformQuery({ node }) {
          if (count++ >= at) throw new Error('the process died')
          return node
        },
        transformResult: async ({ result }) => result,
      })
    },
    async broadcastOf(alerteId: string, kind = 'alerte') {
      return db
        .selectFrom('broadcasts')
        .selectAll()
        .where('alerte_id', '=', alerteId)
        .where('kind', '=', kind)
        .executeTakeFirst()
    },
    async statuses(id: string): Promise<Record<string, number>> {
      const { rows } = await sql<{ status: string; count: number }>`
        select status, count(*)::int as count from broadcast_deliveries where broadcast_id = ${id} group by status`.execute(
        db,
      )
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    },
  }
}
