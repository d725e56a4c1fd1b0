import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Config } from '../../platform/config/config.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { heldMails } from '../../platform/mail/held-mails.ts'
import { mailTries } from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { objectionLinks, objectionUntil } from '../grounds/objecting.ts'
import { holdsOfPublication } from '../grounds/statements.ts'
import { authorMail, type MailReason, type MailRow, type Subject } from './notify.mail.ts'
import { originsOf } from './origins.ts'

/**
 * Who is told of publication `p`, as `u`: its author, and of what restricts it the owners of its acteur too; by a verified
 * address.
 */
const isTold = (withOwners: RawBuilder<boolean>) => sql<boolean>`(
  u.email_verified and u.actif and (u.id = p.created_by or ${withOwners} and exists (
    select from actor_users owner
    where owner.acteur_id = p.acteur_id and owner.user_id = u.id and owner.role = 'owner')))`

/** Candidates, found by index: the author and the members. */
const candidates = sql`lateral (
    select p.created_by as user_id where p.created_by is not null
    union select o.user_id from actor_users o where o.acteur_id = p.acteur_id) candidate
  join users u on u.id = candidate.user_id`

type NewMail = {
  publication_id: string
  decision_id: string | null
  kind: MailReason
  user_id: string
}

/** Finds who is told of a decision or correction, except the caller: each once, by the first publication. */
async function listRecipients(
  tx: Database,
  publicationIds: string[],
  { kind, decisionId, callerId }: { kind: MailReason; decisionId: string | null; callerId: string },
): Promise<NewMail[]> {
  const { rows } = await sql<NewMail>`
    select distinct on (u.id)
      p.id as publication_id, ${decisionId}::uuid as decision_id, ${kind}::text as kind, u.id as user_id
    from publications p cross join ${candidates}
    where p.id = any(${publicationIds}::uuid[]) and u.id <> ${callerId}
      and ${isTold(sql`${kind !== 'corrected'}::boolean`)}
    order by u.id, p.id`.execute(tx)
  return rows
}

/** Lists who is told of what restricts a publication. */
export async function listTold(tx: Database, publicationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from publications p cross join ${candidates}
    where p.id = ${publicationId} and ${isTold(sql`true`)} order by u.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Finds who is to be told of decisions of the last hour that count again, because a later decision was undone: their mail
 * was deleted while they did not count, or was sent without these publications.
 */
async function listMissing(tx: Database, publicationIds: string[]): Promise<NewMail[]> {
  const { rows } = await sql<NewMail>`
    select distinct on (restricting.decision_id, u.id)
      p.id as publication_id, restricting.decision_id, restricting.restriction as kind, u.id as user_id
    from publications p
    cross join lateral (
      select s.decision_id, s.restriction, s.decided_by, d.decided_at
      from decision_items i join decisions d on d.id = i.decision_id
      join statements s on s.decision_id = i.decision_id and s.record_id = p.id
      where i.record_id = p.id and i.undone_at is null and ${holdsOfPublication}
      order by i.seq desc limit 1) restricting
    cross join ${candidates}
    where p.id = any(${publicationIds}::uuid[]) and ${isTold(sql`true`)} and u.id <> restricting.decided_by
      and restricting.decided_at > now() - interval '1 hour'
      and not exists (
        select from publication_mails made
        where made.decision_id = restricting.decision_id and coalesce(made.user_id, p.created_by) = u.id
          -- One that is to be sent lists what then counts.
          and (made.publication_id = p.id or made.email_status in ('queued', 'failed')))
    order by restricting.decision_id, u.id, p.id`.execute(tx)
  return rows
}

/** Publications that one mail names. */
const maxNamed = 20

/** What a member who edits the publication can expect: that somebody reads it again, or that it stays hidden. */
const edit = sql`case when o.role = 'owner' or 'manage_publications' = any(o.permissions) then
    case when p.moderation_status in ('pending', 'rejected')
      or not coalesce(a.can_publish and a.valide and a.active, false) then 'read_again' else 'stays' end end`

/**
 * The mails about publications whose recipient can still get them, with the publications that they are about: those of a
 * decision that the recipient is told of and that it still restricts.
 */
const neededMail = sql`
  select m.id, m.kind, u.id as user_id, u.nom, u.email as address, u.langue, hiding.nom as commune, about.*
  from publication_mails m left join communes hiding on hiding.id = m.commune_id join publications first on first.id = m.publication_id
  join users u on u.id = coalesce(m.user_id, first.created_by)
  cross join lateral (
    select max(one.total)::int as total, jsonb_agg(one.subject order by one.title, one.id) as subjects,
      (jsonb_agg(one.decided))->0 as decided
    from (
      select p.id, p.title, count(*) over () as total,
        jsonb_build_object('publication_id', p.id, 'title', p.title, 'acteur_id', o.acteur_id, 'edit', ${edit},
          'reason', case when m.kind in ('corrected', 'hidden_in_commune') then m.reason when s.id is null then p.moderation_reason else s.reason end,
          'by_report', s.by_report, 'by_machine', s.by_machine, 'statement_id', s.id) as subject,
        case when s.id is not null
          then jsonb_build_object('ground', s.ground, 'at', ${jsonTime(sql`s.decided_at`)},
            'until', ${jsonTime(objectionUntil(sql`s.decided_at`))}) end as decided
      from (
        select m.publication_id as id
        union select of_decision.record_id from statements of_decision
        where of_decision.decision_id = m.decision_id and of_decision.restriction = m.kind) named
      join publications p on p.id = named.id
      left join statements s on s.decision_id = m.decision_id and s.record_id = p.id
      left join acteurs a on a.id = p.acteur_id
      left join actor_users o on o.acteur_id = p.acteur_id and o.user_id = u.id
      where ${isTold(sql`m.kind <> 'corrected'`)} and case
        when m.kind = 'corrected' then p.deleted_at is null
        when m.kind = 'hidden_in_commune' then p.deleted_at is null and exists (
          select from publication_hidings h where h.publication_id = p.id and h.commune_id = m.commune_id)
        when s.id is not null then ${holdsOfPublication}
        -- Decided by the version before, which made no statements: of several mails the newest.
        else p.moderation_status = 'rejected' and p.deleted_at is null and not exists (
          select from publication_mails newer
          where newer.publication_id = m.publication_id and newer.kind = m.kind and newer.id > m.id
            and coalesce(newer.user_id, p.created_by) = u.id) end
      order by p.title, p.id limit ${sql.lit(maxNamed)}) one) about
  where about.total > 0`

/** Deletes the mails of a decision that are not handed to the mail server yet and that nothing needs any more. */
export async function dropMails(tx: Database, decisionId: string): Promise<void> {
  await sql`
    delete from publication_mails made
    where made.decision_id = ${decisionId} and made.email_status in ('queued', 'failed')
      and not exists (select from (${neededMail}) needed where needed.id = made.id)`.execute(tx)
}

const payload = Type.Object({ mailId: Type.String() })
/** Sends the mail about a decision or correction. */
const mailMember = defineJob('publications.tell-member', payload, mailTries)
/** The same about a hiding: workers of the version before, which know no hidings, must not take it. */
const mailOfHiding = defineJob('publications.tell-of-hiding', payload, mailTries)
/**
 * The name that the version before enqueues. Its workers know no other recipient than the author: during a rolling update
 * they must not take the mails of this one.
 */
const mailAuthor = defineJob('publications.tell-author', payload, mailTries)

export const authorMails = heldMails<MailRow>({
  job: mailMember,
  name: 'publication_decision',
  named: 'publication-',
  table: 'publication_mails',
  title: { fr: 'Décision ou correction d’une publication', en: 'Decision on a publication, or correction' },
  entity: 'publication',
  area: 'publications',
  recordId: sql`m.publication_id`,
  recordName: sql`(select p.title from publications p where p.id = m.publication_id)`,
  recipient: sql`(
    select u.email from publications p join users u on u.id = coalesce(m.user_id, p.created_by)
    where p.id = m.publication_id)`,
  needed: neededMail,
})

/** Deletes the mails about a hiding that are not handed to the mail server yet. */
export async function dropMailsOfHiding(
  tx: Database,
  publicationId: string,
  communeId: string,
): Promise<void> {
  await sql`
    delete from publication_mails
    where publication_id = ${publicationId} and commune_id = ${communeId} and kind = 'hidden_in_commune'
      and email_status in ('queued', 'failed')`.execute(tx)
}

type MailRequest = {
  kind: MailReason
  decisionId: string | null
  publicationIds: string[]
  reason?: string | null
  /** The commune that hides them. */
  communeId?: string
}

/** Enqueues mails about these publications, with a delay in which an undo can delete them. */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { kind, decisionId, publicationIds, reason = null, communeId }: MailRequest,
): Promise<void> {
  if (publicationIds.length === 0) return
  const about = { kind, decisionId, callerId: user.id }
  const recipients = await listRecipients(tx, publicationIds, about)
  const rows = recipients.map((mail) => ({ ...mail, reason, commune_id: communeId ?? null }))
  await authorMails.insert(tx, jobs, rows, { by: kind === 'hidden_in_commune' ? mailOfHiding : mailMember })
}

/** Enqueues the mails about decisions that count again after an undo, if they have none. */
export const queueMissingMails = async (tx: Database, jobs: Jobs, publicationIds: string[]) =>
  authorMails.insert(tx, jobs, await listMissing(tx, publicationIds))

/** Returns the address of a publication: for members in the space of its acteur, else in the back-office. */
export function pageOf(
  config: Pick<Config, 'backoffice' | 'publicUrl'>,
  { publication_id, acteur_id }: Pick<Subject, 'publication_id' | 'acteur_id'>,
): string | null {
  if (acteur_id !== null) return spaceAddress(config, acteur_id, `publications/${publication_id}`)
  return config.backoffice ? `${config.publicUrl}/backoffice/publications/${publication_id}` : null
}

export function mailHandlers(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler[] {
  const { db, config } = deps
  const links = objectionLinks(config)
  const write = async (found: MailRow, to: string) => {
    const ids = found.subjects.map(({ publication_id }) => publication_id)
    const originOf = await originsOf(db, config, ids)
    return authorMail(found, to, {
      from: config.mail.from,
      pageOf: (one) => pageOf(config, one),
      objectionTo: (id, publicationId) =>
        links.linkOf({ about: 'statement', id, by: found.user_id }, originOf(publicationId)),
    })
  }
  return [mailMember, mailOfHiding, mailAuthor].map((job) => authorMails.handler(deps, write, job))
}
