import { sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SortKey } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { holdsOfActeur, holdsOfPublication } from '../grounds/statements.ts'
import type { Effect } from '../publications/decisions/reversing.ts'
import type { Complaint, ComplaintRead, ComplaintsQuery, DecidedAs, Verdict } from './schema.ts'

/** A complaint as it is stored, and audited. */
export type StoredComplaint = {
  id: string
  statement_id: string | null
  case_id: string | null
  user_id: string | null
  reporter_id: string | null
  record_id: string
  title: string
  text: string
  created_at: Date
  decider_id: string | null
  decision: Verdict | null
  answer: string | null
  effect: Effect | null
  decided_as: DecidedAs | null
  decided_by: string | null
  decided_at: Date | null
  version: number
}

const stored = sql`id, statement_id, case_id, user_id, reporter_id, record_id, title, text, created_at, decider_id, decision, answer, effect,
  decided_as, decided_by, decided_at, version`

/** Locks a complaint until the transaction ends, after its person, as an erasure does; 404 if it does not exist. */
export async function getComplaintForUpdate(tx: Database, id: string): Promise<StoredComplaint> {
  await sql`
    select from users where id = (select user_id from complaints where id = ${id}) for key share`.execute(tx)
  const { rows } = await sql<StoredComplaint>`
    select ${stored} from complaints where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export type Outcome = Pick<StoredComplaint, 'decision' | 'answer' | 'effect' | 'decided_as' | 'decided_by'>

export async function updateComplaint(tx: Database, id: string, outcome: Outcome): Promise<StoredComplaint> {
  const { rows } = await sql<StoredComplaint>`
    update complaints set decision = ${outcome.decision}, answer = ${outcome.answer}, effect = ${outcome.effect},
      decided_as = ${outcome.decided_as}, decided_by = ${outcome.decided_by}, decided_at = now()
    where id = ${id} returning ${stored}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export type NewComplaint = Pick<
  StoredComplaint,
  | 'id'
  | 'statement_id'
  | 'case_id'
  | 'user_id'
  | 'reporter_id'
  | 'record_id'
  | 'title'
  | 'text'
  | 'decider_id'
>

export async function insertComplaint(tx: Database, complaint: NewComplaint): Promise<StoredComplaint> {
  await tx.insertInto('complaints').values(complaint).execute()
  return getComplaintForUpdate(tx, complaint.id)
}

/** `complainant_id`: also of a reporter who was signed in, whom no response names. */
export type ComplaintRow = Omit<Complaint, 'can'> & { complainant_id: string | null }

const isOfActeur = sql`s.entity is not distinct from 'acteur'`

const shown = sql<ComplaintRow>`
  c.id, case when c.case_id is null then 'statement' else 'report' end as about,
  case when not ${isOfActeur} then c.record_id end as publication_id, case when ${isOfActeur} then c.record_id end as acteur_id, c.title,
  author.id as user_id, ${userNameOf(sql`author.id`)} as "user", c.user_id as complainant_id, c.text, c.created_at, s.restriction, r.outcome,
  coalesce(s.ground, r.ground) as ground, s.reason, c.decider_id as decided_against_by,
  ${userNameOf(sql`c.decider_id`)} as decided_against_by_user, coalesce(s.decided_at, r.ended_at) as decided_against_at,
  case when ${isOfActeur} then coalesce(${holdsOfActeur()}, false)
    when c.case_id is null then coalesce(${holdsOfPublication}, false)
    else r.followed_by is null and c.effect is distinct from 'restored' end as holds,
  c.decision, c.answer, c.effect, c.decided_as, c.decided_by, ${userNameOf(sql`c.decided_by`)} as decided_by_user, c.decided_at,
  c.version`

const joins = sql`
  cross join lateral (select case when c.case_id is null then c.user_id end as id) author
  left join statements s on s.id = c.statement_id left join report_cases r on r.id = c.case_id
  left join publications p on p.id = c.record_id left join acteurs a on s.entity = 'acteur' and a.id = c.record_id`

const created: SortKey[] = [
  { by: sql`c.created_at`, type: 'time' },
  { by: sql`c.id`, type: 'id' },
]

export const complaintsList: List<ComplaintsQuery, ComplaintRow> = {
  name: 'complaints',
  from: sql`complaints c`,
  as: 'c',
  filters: {
    state: (state) =>
      state === 'open'
        ? sql`c.decided_at is null`
        : sql`(c.decided_at is not null and c.decision = ${state})`,
    older_than_days: (days) => sql`c.created_at <= now() - make_interval(days => ${days}::int)`,
  },
  sorts: { created_at: created },
  defaults: { sort: 'created_at_asc' },
  columns: shown,
  join: joins,
}

type ReadRow = ComplaintRow & Pick<ComplaintRead, 'as_decided'>

/** True for a complaint about the deactivation of an acteur. */
export async function isAboutActeur(tx: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from complaints c join statements s on s.id = c.statement_id and s.entity = 'acteur' where c.id = ${id}`.execute(
    tx,
  )
  return rows.length > 0
}

/** Returns a complaint as lists show it, with the text of its publication at that time; 404 if it does not exist. */
export async function getComplaint(db: Database, id: string): Promise<ReadRow> {
  const { rows } = await sql<ReadRow>`
    select ${shown}, (
      select jsonb_build_object('title', v.title, 'body', v.body) from (
        (select v.title, v.body, v.written_at from publication_versions v
          where v.publication_id = c.record_id and v.written_at <= coalesce(s.decided_at, r.opened_at)
          order by v.written_at desc, v.id desc limit 1)
        union all
        select p.title, p.body, null where p.id is not null
          and not exists (select from publication_versions any_of where any_of.publication_id = c.record_id)
        limit 1) v) as as_decided
    from complaints c ${joins} where c.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** True if somebody else than these people is an enabled moderator. */
export async function hasOtherModerator(tx: Database, except: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from user_roles r join users u on u.id = r.user_id
    where r.role = 'moderator' and u.actif and u.id <> all(${except}::uuid[]) limit 1`.execute(tx)
  return rows.length > 0
}
