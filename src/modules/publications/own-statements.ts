import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { PublicGround } from '../grounds/grounds.ts'
import { objectionUntil } from '../grounds/objecting.ts'
import { holdsOfActeur, holdsOfPublication, restrictions } from '../grounds/statements.ts'
import { attachedTo, restrictionOf } from './visibility.ts'

/** The ground of a decision, as it was when it was given. */
export const GivenGround = fields.titled('GivenGround', PublicGround.properties)

export const OwnComplaintField = fields.nullable(
  fields.titled(
    'ComplaintOfCaller',
    {
      created_at: fields.ResponseTimestamp(),
      decision: fields.nullable(fields.oneOf(['upheld', 'reversed'], 'Null: nobody has decided it')),
      answer: fields.textOrNull('Nous avons relu votre annonce.'),
    },
    'That of the caller; null: there is none',
  ),
)

const OwnStatement = fields.titled('OwnStatement', {
  id: fields.Id(),
  entity: fields.oneOf(['publication', 'acteur']),
  record_id: fields.Id(),
  title: Type.String({ examples: ['Fête de la pomme'] }),
  restriction: fields.oneOf(restrictions),
  ground: GivenGround,
  reason: fields.textOrNull('La date est passée.'),
  by_report: Type.Boolean({ description: 'Whether somebody had reported it', examples: [false] }),
  by_machine: Type.Boolean({
    description: 'Whether a machine found it; a person decided',
    examples: [false],
  }),
  decided_at: fields.ResponseTimestamp(),
  complain_until: fields.nullable(
    fields.ResponseTimestamp('Until when the caller can complain about it; null: they cannot'),
  ),
  complaint: OwnComplaintField,
})
type OwnStatement = Static<typeof OwnStatement>

const OwnQuery = Type.Object({
  acteur_id: Type.Optional(fields.Id('Of this acteur alone')),
  record_id: Type.Optional(fields.Id('About this record alone')),
})

const shown = 50

export function ownStatementRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/me/statements',
    {
      schema: {
        operationId: 'listMyStatements',
        summary: `What decisions took from the caller and their acteurs, and why; the newest ${shown} that still hold`,
        querystring: OwnQuery,
        response: { 200: fields.list(OwnStatement) },
      },
    },
    async ({ query, caller }) => ({ data: await listOwn(reads, caller, query) }),
  )
}

/**
 * Lists what holds on publications that the person wrote, on acteurs they are a member of, and on what those published. An
 * application that is restricted to communes shows those alone; what belongs to a deleted acteur is the back-office's.
 */
export async function listOwn(
  db: Database,
  caller: SignedIn,
  { acteur_id, record_id }: Static<typeof OwnQuery>,
): Promise<OwnStatement[]> {
  const { user } = caller
  const acteurIds = user.memberships.map(({ acteurId }) => acteurId)
  const ownedIds = user.memberships.filter(({ role }) => role === 'owner').map(({ acteurId }) => acteurId)
  const communeIds = restrictionOf(caller)
  const isShown = allOf(
    holdsOfPublication,
    sql`not exists (select from acteurs a where a.id = p.acteur_id and a.deleted_at is not null)`,
    communeIds !== null && attachedTo(communeIds),
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    record_id !== undefined && sql`p.id = ${record_id}`,
  )
  const isShownActeur = allOf(
    holdsOfActeur(),
    communeIds !== null && sql`a.commune_id = any(${communeIds}::uuid[])`,
    acteur_id !== undefined && sql`a.id = ${acteur_id}`,
    record_id !== undefined && sql`a.id = ${record_id}`,
  )
  const { rows } = await sql<OwnStatement>`
    select s.id, s.entity, s.record_id, s.title, s.restriction, s.ground, s.reason, s.by_report, s.by_machine,
      ${jsonTime(sql`s.decided_at`)} as decided_at, case
        when s.entity = 'publication' or s.record_id = any(${ownedIds}::uuid[])
        then ${jsonTime(objectionUntil(sql`s.decided_at`))} end as complain_until,
      (select json_build_object('created_at', ${jsonTime(sql`c.created_at`)}, 'decision', c.decision, 'answer', c.answer)
        from complaints c where c.statement_id = s.id and c.user_id = ${user.id}) as complaint
    from (
      select s.* from (
        select id from publications where created_by = ${user.id}
        union select id from publications where acteur_id = any(${acteurIds}::uuid[])) own
      join publications p on p.id = own.id join statements s on s.record_id = p.id
      where ${isShown}
      union all
      select s.* from acteurs a join statements s on s.record_id = a.id
      where a.id = any(${acteurIds}::uuid[]) and ${isShownActeur}) s
    order by s.decided_at desc, s.id desc limit ${sql.lit(shown)}`.execute(db)
  return rows
}
