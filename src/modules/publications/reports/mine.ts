import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { jsonTime } from '../../../platform/database/columns.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import {
  Id,
  list,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { PublicGround } from '../../grounds/grounds.ts'
import { objectionUntil } from '../../grounds/objecting.ts'
import { reportCategories } from '../office.ts'
import { OwnComplaintField } from '../own-statements.ts'
import { attachedTo, restrictionOf, visible } from '../visibility.ts'
import { contestable, endedBy, isOfReporter, outcomes, titleAt } from './cases.ts'

const MyReport = titled('MyReport', {
  id: Id(),
  publication_id: Id(),
  titre: Type.String({ description: 'Its title when it was reported', examples: ['Fête de la pomme'] }),
  slug: nullable(
    Type.String({ description: 'Null: the publication is not public', examples: ['fete-de-la-pomme'] }),
  ),
  category: nullable(oneOf(reportCategories)),
  message: textOrNull('La fête a été annulée.'),
  created_at: ResponseTimestamp(),
  ended_at: nullable(ResponseTimestamp('When it was decided; null: somebody is still to read it')),
  outcome: nullable(
    oneOf(outcomes, 'What became of the publication; null while it is open, or decided before this was kept'),
  ),
  ended_by: nullable(
    oneOf(endedBy, 'A person of the team, those who manage the publication, or an automatic rule'),
  ),
  ground: nullable(titled('GroundOfReport', PublicGround.properties)),
  complain_until: nullable(
    ResponseTimestamp(
      'Until when the caller can complain; null: it was not decided, or not against the report',
    ),
  ),
  complaint: OwnComplaintField,
  restored: Type.Boolean({ description: 'The publication is public again since', examples: [false] }),
})
type MyReport = Static<typeof MyReport>

const shown = 100

export function myReportRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/me/reports',
    {
      schema: {
        operationId: 'listMyReports',
        summary: `What the caller reported while signed in, and what became of it; the newest ${shown}`,
        response: { 200: list(MyReport) },
      },
    },
    async ({ caller }) => ({ data: await listMine(reads, caller) }),
  )
}

/** The case of report `r`, and while it is open again the one that was reopened: its complaint has the answer. */
const casesShown = sql`
  select shown.id from report_cases shown where shown.publication_id = r.publication_id and (shown.id = r.case_id
    or (r.closed_at is null and shown.followed_by = 'reopened' and shown.ended_at >= r.created_at))`

/** Lists the caller's reports. An application that is restricted to communes shows those alone. */
async function listMine(db: Database, caller: SignedIn): Promise<MyReport[]> {
  const communeIds = restrictionOf(caller)
  const isShown = allOf(
    sql`r.caller_key = ${`user ${caller.user.id}`}`,
    communeIds !== null && attachedTo(communeIds),
  )
  const { rows } = await sql<MyReport>`
    select r.id, r.publication_id, ${titleAt(sql`coalesce(c.opened_at, r.created_at)`)} as titre,
      case when ${visible} then p.slug end as slug, r.category, r.message, ${jsonTime(sql`r.created_at`)} as created_at,
      ${jsonTime(sql`coalesce(c.ended_at, r.closed_at)`)} as ended_at, c.outcome, c.ended_by, c.ground,
      c.followed_by is not distinct from 'restored' as restored,
      case when c.outcome = any(${[...contestable]}::text[]) and c.followed_by is null
        then ${jsonTime(objectionUntil(sql`c.ended_at`))} end as complain_until,
      (select json_build_object('created_at', ${jsonTime(sql`own.created_at`)}, 'decision', own.decision, 'answer', own.answer)
        from complaints own where own.id = (
          select c.id from complaints c where c.case_id in (${casesShown}) and ${isOfReporter}
          order by c.id desc limit 1)) as complaint
    from publication_reports r join publications p on p.id = r.publication_id
    left join acteurs a on a.id = p.acteur_id left join report_cases c on c.id = r.case_id
    where ${isShown} order by r.created_at desc, r.id desc limit ${sql.lit(shown)}`.execute(db)
  return rows
}
