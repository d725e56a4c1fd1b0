import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { leftOf } from '../../platform/access/rules.ts'
import { change, type RecordKind } from '../../platform/change.ts'
import { columnList } from '../../platform/database/columns.ts'
import { among, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  record,
  SettleBody,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { applyEventJob } from './effects/jobs.ts'
import { readTime } from './failures/queries.ts'
import { eventIdentifier } from './inbox/schema.ts'
import { eventStatuses } from './kinds.ts'
import { ById } from './subscriptions/schema.ts'

const EventId = (description: string) =>
  Type.String({ pattern: eventIdentifier, description, examples: ['evt_1R9zQ2'] })

const ByEventId = Type.Object({ event_id: EventId('Identifier of the event, to the provider') })

const EventsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['received_at'], 'received_at_desc'),
  ids: Type.Optional(
    Type.Array(EventId('Event'), {
      minItems: 1,
      maxItems: 100,
      description: 'Only these, separated by commas',
    }),
  ),
  status: several(oneOf(eventStatuses), 'In one of these states, separated by commas'),
  settled: several(Type.Boolean(), 'Settled, or not'),
})
type EventsQuery = Static<typeof EventsQuery>

/** Stored fields that responses show. */
const stored = {
  id: Type.String({ description: 'The event, to the provider', examples: ['evt_1R9zQ2'] }),
  type: Type.String({ examples: ['customer.subscription.updated'] }),
  status: oneOf(
    eventStatuses,
    '`received`: its effect is queued; `processed`: applied; `ignored`: it has none; `failed`: it could not be applied',
  ),
  error: textOrNull('it has no subscription id', 'Why the last attempt failed'),
  tries: Type.Integer({
    description: 'Attempts that have ended, since it was last replayed',
    examples: [9],
  }),
  occurred_at: nullable(ResponseTimestamp('When it happened, as the provider says')),
  received_at: ResponseTimestamp('When it was delivered'),
  ended_at: nullable(ResponseTimestamp('When its effect was applied, or was given up')),
  settled_at: nullable(
    ResponseTimestamp(
      'When somebody decided that nothing is to be done about it; the audit log has who and why',
    ),
  ),
  version: Type.Integer({ examples: [1] }),
  updated_at: ResponseTimestamp(),
}

/** A failed event can be applied again while what it carried is stored, and settled once. */
const eventActions = {
  replay: ({ status, is_kept }: { status: string; is_kept: boolean }) => status === 'failed' && is_kept,
  settle: ({ status, settled_at }: { status: string; settled_at: Date | null }) =>
    status === 'failed' && settled_at === null,
}

const RecordedEvent = titled('RecordedPaymentEvent', {
  ...stored,
  is_kept: Type.Boolean({
    description: 'Whether what it carried is still stored, without which it cannot be applied',
    examples: [true],
  }),
  stated_status: textOrNull('past_due', 'Status of the subscription in the event'),
  provider_subscription_id: textOrNull('sub_1R9zQ2', 'Subscription that it names'),
  subscription: nullable(
    titled(
      'PaymentEventSubscription',
      {
        id: Id(),
        acteur: nullable(named('PaymentEventActeur', 'Boulangerie des Halles')),
      },
      'That subscription, once it is known here',
    ),
  ),
  can: Can(eventActions),
})
type RecordedEvent = Static<typeof RecordedEvent>

export function eventsAdminRoutes(scope: SignedInScope, { db, lists, jobs }: Deps): void {
  scope.get(
    '/admin/subscriptions/:id/events',
    {
      schema: {
        operationId: 'listSubscriptionEvents',
        summary: 'Payment events that name a subscription, newest first',
        description:
          'From the delivery until retention clears what they carried (`RETENTION_WEBHOOKS`, 13 months unless set).',
        params: ById,
        querystring: EventsQuery,
        response: { 200: ListPage(RecordedEvent) },
      },
    },
    async ({ params, query }) => {
      const named = await getProviderId(lists, params.id)
      return listPage(lists, eventsList, { ...query, named }, (rows) => rows.map(withCan))
    },
  )

  scope.get(
    '/admin/payment-events',
    {
      schema: {
        operationId: 'listPaymentEvents',
        summary:
          'Payment events of every kind, newest first; with `status=failed&settled=false` those that need attention',
        querystring: EventsQuery,
        response: { 200: ListPage(RecordedEvent) },
      },
    },
    async ({ query }) => listPage(lists, eventsList, query, (rows) => rows.map(withCan)),
  )

  scope.post(
    '/admin/payment-events/:event_id/replay',
    {
      config: { audits: 'payment_event.replay', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'replayPaymentEvent',
        summary: 'Apply a failed payment event again; its effect follows, at most once',
        description:
          'The event is `received` until a job has applied it. Replaying one that is queued already changes nothing. 409 for one that was applied or ignored, and once what it carried is no longer stored.',
        params: ByEventId,
        response: { 200: record(RecordedEvent) },
      },
    },
    async ({ params, caller }) => ({ data: await replayFailedEvent({ db, jobs }, caller, params.event_id) }),
  )

  scope.post(
    '/admin/payment-events/:event_id/settle',
    {
      config: { audits: 'payment_event.settle', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'settlePaymentEvent',
        summary: 'Decide that nothing is to be done about a failed payment event',
        description: 'It stays `failed`, and counts and notices leave it out. It can still be replayed.',
        params: ByEventId,
        body: SettleBody,
        response: { 200: record(RecordedEvent) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await settleEvent(db, caller, params.event_id, body.reason),
    }),
  )
}

/**
 * Applies a failed event again: failed → received, with a job of its own. An event that is already queued stays
 * as it is, so that a second replay succeeds without effect.
 *
 * The job has no key shared with others: the job of the failed attempt may still be ending, and would suppress
 * it. Two jobs of an event are harmless, because each applies it only while it is `received`.
 */
function replayFailedEvent(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  id: string,
): Promise<RecordedEvent> {
  return change(db, caller, paymentEvent, { id, action: 'payment_event.replay' }, async (tx, event, save) => {
    if (event.status === 'received') await save({})
    else {
      if (!eventActions.replay(event)) throw conflict()
      await jobs.enqueue(tx, applyEventJob, { eventId: event.id })
      await save({ status: 'received', ended_at: null, settled_at: null, error: null, tries: 0 })
    }
    return getEvent(tx, id)
  })
}

/** Settles a failed event: 409 for any other, and for one that is settled. */
function settleEvent(db: Database, caller: Caller, id: string, reason: string): Promise<RecordedEvent> {
  return change(db, caller, paymentEvent, { id, action: 'payment_event.settle' }, async (tx, event, save) => {
    if (!eventActions.settle(event)) throw conflict()
    await save({ settled_at: await readTime(tx) }, { after: { reason } })
    return getEvent(tx, id)
  })
}

type ListedEvent = Omit<RecordedEvent, 'can'>
export type EventRow = Pick<ListedEvent, keyof typeof stored | 'is_kept'>
export type WrittenEvent = Partial<Pick<EventRow, 'status' | 'error' | 'tries' | 'ended_at' | 'settled_at'>>

async function getEvent(db: Database, id: string): Promise<RecordedEvent> {
  const { rows } = await sql<ListedEvent>`select ${shown} from payment_events e where e.id = ${id}`.execute(
    db,
  )
  return withCan(rows[0] ?? raise(notFound()))
}

/** The provider's identifier of a subscription; 404 if it is unknown. */
async function getProviderId(db: Database, id: string): Promise<string> {
  const row = await db
    .selectFrom('subscriptions')
    .select('provider_subscription_id')
    .where('id', '=', id)
    .where('status', 'is not', null)
    .executeTakeFirst()
  return (row ?? raise(notFound())).provider_subscription_id
}

export async function getEventForUpdate(tx: Database, id: string): Promise<EventRow> {
  const { rows } = await sql<EventRow>`
    select ${ofRow} from payment_events e where e.id = ${id} for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function updateEvent(tx: Database, id: string, values: WrittenEvent): Promise<EventRow> {
  await tx.updateTable('payment_events').set(values).where('id', '=', id).execute()
  const { rows } = await sql<EventRow>`select ${ofRow} from payment_events e where e.id = ${id}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Written as in its index. */
const nameOf = sql`(e.fields ->> 'subscription')`

const ofRow = sql`${columnList(stored, 'e')}, e.fields is not null as is_kept`

/** A subscription known only from a checkout has no status yet, and cannot be opened. */
const shown = sql<ListedEvent>`${ofRow}, e.fields ->> 'status' as stated_status, ${nameOf} as provider_subscription_id, (
  select json_build_object('id', s.id, 'acteur', (
    select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = s.acteur_id))
  from subscriptions s where s.provider_subscription_id = ${nameOf} and s.status is not null) as subscription`

const withCan = <Row extends EventRow>(row: Row) => ({ ...row, can: leftOf(eventActions, row) })

/** The events, or with `named` those of the subscription that the provider calls so. */
const eventsList: List<EventsQuery & { named?: string }, ListedEvent> = {
  name: 'payment-events',
  from: sql`payment_events e`,
  as: 'e',
  picksIds: true,
  filters: {
    named: (named) => sql`${nameOf} = ${named} and e.fields is not null`,
    ids: among('e.id'),
    status: among('e.status'),
    settled: flag(sql`(e.settled_at is not null)`),
  },
  sorts: {
    received_at: [
      { by: sql`e.received_at`, type: 'time' },
      { by: sql`e.id`, type: 'text' },
    ],
  },
  defaults: { sort: 'received_at_desc' },
  columns: shown,
}

/** The payment event as an audited record, for replays and the operator's commands. */
export const paymentEvent = {
  entity: 'payment_event',
  personal: [],
  lock: getEventForUpdate,
  write: (tx, { id }, values) => updateEvent(tx, id, values),
  auditedValues: ({ status }) => ({ status }),
} satisfies RecordKind<EventRow, WrittenEvent>
