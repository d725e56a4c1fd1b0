import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, oneOf, record, textOrNull, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { readChanges, SubscriberChanges } from './changes.ts'

const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })
const ByActeur = Type.Object({
  acteurId: Id('Identifier of the mairie acteur, or of the acteur of a group of communes'),
})
const OfCommunes = Type.Object({
  commune_ids: Type.Optional(
    Type.Array(Id(), {
      ...{ minItems: 1, maxItems: 100 },
      description: 'Residents of these alone among its communes, separated by commas',
    }),
  ),
})

const numbers = {
  sent: Type.Integer({ description: 'Handed over', examples: [1_204] }),
  failed: Type.Integer({ description: 'Refused, or given up', examples: [3] }),
  uncertain: Type.Integer({
    description: 'Perhaps handed over: nobody knows, and they are not sent again by themselves',
    examples: [0],
  }),
}
const ReachedSubscribers = titled('ReachedSubscribers', {
  kind: oneOf(['alertes', 'collectes', 'actualites'], 'What they get'),
  channel: oneOf(['email', 'push'], 'How they get it'),
  count: Type.Integer({ examples: [1_207] }),
})
const ReachOfAlerte = titled('ReachOfAlerte', {
  id: Id('Identifier of the alert'),
  titre: Type.String({ examples: ['Eau coupée'] }),
  ...numbers,
  can_resend: Type.Boolean({
    description: 'Whether it can be sent again to the uncertain: once, while it is in force',
    examples: [false],
  }),
  is_sending: Type.Boolean({ description: 'Whether the numbers still grow', examples: [false] }),
})
const ReachOfPublication = titled('ReachOfPublication', {
  id: Id('Identifier of the publication'),
  title: textOrNull('Fête du village', 'Null: it no longer exists'),
  ...numbers,
})
const Reach = titled('Reach', {
  subscribers: Type.Array(ReachedSubscribers, { description: 'Confirmed subscribers of the commune' }),
  changes: SubscriberChanges,
  alertes: Type.Array(ReachOfAlerte, {
    description: 'The last hundred alerts of the commune and its mairie that were sent',
  }),
  publications: Type.Array(ReachOfPublication, {
    description: 'The last hundred publications that a weekly message named',
  }),
})
type Reach = Static<typeof Reach>

const ReachOfActeur = titled('ReachOfActeur', {
  subscribers: Type.Integer({
    description:
      'Residents who subscribe to alerts of its communes or of its group, each counted once by e-mail or browser: as many get one of its alerts',
    examples: [1_207],
  }),
  /** Of each of its communes: whoever follows two is gained twice. Whoever follows the group alone is not in them. */
  changes: SubscriberChanges,
  alertes: Type.Array(ReachOfAlerte, { description: 'Its last hundred alerts that were sent' }),
})
type ReachOfActeur = Static<typeof ReachOfActeur>

export function reachRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/mairie/communes/:communeId/reach',
    {
      schema: {
        operationId: 'getReach',
        summary: 'How many residents subscribe to a commune, and how many got each message; numbers only',
        params: ByCommune,
        response: { 200: record(Reach) },
      },
    },
    async ({ params }) => ({ data: await readReach(reads, params.communeId) }),
  )
}

export function reachOfActeurRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/reach',
    {
      schema: {
        operationId: 'getReachOfActeur',
        summary:
          'How many residents an alert of a mairie, or of the acteur of a group, is for, and how many got each; numbers only',
        params: ByActeur,
        querystring: OfCommunes,
        response: { 200: record(ReachOfActeur) },
      },
    },
    async ({ params, query }) => ({
      data: await readReachOfActeur(reads, params.acteurId, query.commune_ids),
    }),
  )
}

const maxShown = 100

async function readReach(db: Database, communeId: string): Promise<Reach> {
  const [subscribers, changes, alertes, publications] = await Promise.all([
    sql<Reach['subscribers'][number]>`
      select k.kind, s.channel, count(*)::int as count
      from resident_choices ch join resident_subscribers s on s.id = ch.subscriber_id
      cross join lateral (values
        (1, 'alertes', ch.alertes <> 'none'), (2, 'collectes', ch.collectes_hour is not null),
        (3, 'actualites', ch.actualites)) k (position, kind, is_wanted)
      where ch.commune_id = ${communeId} and ch.confirmed_at is not null and s.is_proven and k.is_wanted
      group by k.position, k.kind, s.channel order by k.position, s.channel`.execute(db),
    readChanges(db, sql`array[${communeId}::uuid]`),
    readAlertes(
      db,
      sql`al.commune_id = ${communeId}
        or al.acteur_id = (select mairie_actor_id from communes where id = ${communeId})`,
    ),
    sql<Reach['publications'][number]>`
      select p.id, (select title from publications where id = p.id) as title, sum(p.sent)::int as sent,
        sum(p.failed)::int as failed, sum(p.uncertain)::int as uncertain
      from (
        select unnest(publication_ids) as id, created_at, sent, failed, uncertain from broadcasts
        where commune_id = ${communeId} and kind = 'actualites' order by day desc limit ${maxShown}) p
      group by p.id order by max(p.created_at) desc, p.id limit ${maxShown}`.execute(db),
  ])
  return { subscribers: subscribers.rows, changes, alertes, publications: publications.rows }
}

async function readReachOfActeur(
  db: Database,
  acteurId: string,
  communeIds: string[] | undefined,
): Promise<ReachOfActeur> {
  const isNamed = communeIds === undefined ? sql`true` : sql`ch.commune_id = any(${communeIds}::uuid[])`
  const own = sql<string[] | null>`communes_of_acteur(${acteurId})`
  const [counted, changes, alertes] = await Promise.all([
    sql<{ count: number }>`
      select count(distinct s.id)::int as count
      from followed_places ch join resident_subscribers s on s.id = ch.subscriber_id
      where ((ch.commune_id = any(${own}) and ${isNamed})
          or ch.group_id in (select id from groups where acteur_id = ${acteurId}))
        and ch.confirmed_at is not null and s.is_proven and ch.alertes <> 'none'`.execute(db),
    readChanges(
      db,
      communeIds === undefined
        ? own
        : sql`array(select unnest(${communeIds}::uuid[]) intersect select unnest(${own}))`,
    ),
    readAlertes(db, sql`al.acteur_id = ${acteurId}`),
  ])
  return { subscribers: counted.rows[0]?.count ?? 0, changes, alertes }
}

/** Reads what became of the last alerts of an owner. */
async function readAlertes(db: Database, isOwn: RawBuilder<unknown>): Promise<Reach['alertes']> {
  const { rows } = await sql<Reach['alertes'][number]>`
    select al.id, al.titre, b.sent, b.failed, b.uncertain,
      b.uncertain > 0 and b.resent_at is null and b.status <> 'stopped' and coalesce(al.fin, 'infinity') > now()
        as can_resend,
      b.status in ('expanding', 'sending') and coalesce(al.debut, '-infinity') <= now() as is_sending
    from alertes al join broadcasts b on b.alerte_id = al.id and b.kind = 'alerte'
    where ${isOwn}
    order by al.created_at desc, al.id desc limit ${maxShown}`.execute(db)
  return rows
}
