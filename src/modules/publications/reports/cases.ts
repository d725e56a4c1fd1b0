import { type RawBuilder, sql } from 'kysely'

/**
 * A case begins with the first report of a publication, and ends with all its reports:
 *
 *   open ─┬─ its reports are closed: a decision, or found unfounded, or the event is over ──────┬─► ended
 *         └─ the publication is deleted, or hidden with its acteur; its reports stay open ──────┘     │
 *                      ended ── public again ──► `followed_by` restored                               │
 *                      ended ── undone, or restored with open reports ──► reopened: another case has them
 *
 * `settle_report_cases` in the database ends cases at the end of the transaction that changed the publication, whichever way.
 */
export const outcomes = [
  ...(['kept', 'unfounded', 'corrected', 'rejected', 'duplicate', 'hidden', 'deleted', 'withdrawn'] as const),
  ...(['deactivated', 'expired'] as const),
] as const
export type Outcome = (typeof outcomes)[number]

/** Outcomes to which a reporter can object: they left what was reported. */
export const contestable: readonly Outcome[] = ['kept', 'unfounded', 'corrected', 'expired']

/**
 * Condition: complaint `c` is of the user who sent report `r`: from their account, or by the link in a mail to an address that
 * they gave.
 */
export const isOfReporter = sql<boolean>`(r.caller_key = 'user ' || c.user_id or exists (
  select from case_reporters f join publication_reports theirs on theirs.id = f.report_id
  where f.case_id = c.case_id and f.reporter_id = c.reporter_id
    and theirs.caller_key = r.caller_key and r.caller_key like 'user %'))`

/** The language of the account from which a reporter sent a report of a case; French where nobody was signed in. */
export const langueOfReporter = (caseId: RawBuilder<unknown>, reporterId: RawBuilder<unknown>) =>
  sql<'fr' | 'en'>`coalesce((
    select u.langue from case_reporters f join publication_reports theirs on theirs.id = f.report_id
    join users u on u.id = case when theirs.caller_key like 'user %' then substr(theirs.caller_key, 6)::uuid end
    where f.case_id = ${caseId} and f.reporter_id = ${reporterId}), 'fr')`

/** A person of the team, those who manage the publication, or a rule that nobody applies by hand. */
export const endedBy = ['team', 'author', 'rule'] as const
export type EndedBy = (typeof endedBy)[number]

/** What followed the outcome: the publication is public again, or the report is open again. */
export const followings = ['restored', 'reopened'] as const
export type Following = (typeof followings)[number]

/** The title of publication `p` at that time, when it was reported: what is written while it is hidden is not public. */
export const titleAt = (time: RawBuilder<unknown>) => sql<string>`coalesce((
  select v.title from publication_versions v
  where v.publication_id = p.id and v.written_at <= ${time}
  order by v.written_at desc, v.id desc limit 1), p.title)`
