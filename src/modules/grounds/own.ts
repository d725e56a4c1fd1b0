import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { GroundCode } from './grounds.ts'
import { holdsOfPublication, restrictions } from './statements.ts'

/** The ground of a decision, as it was when it was given. */
export const GivenGround = fields.titled('GivenGround', {
  code: GroundCode,
  label: Type.String({ examples: ['Hors sujet'] }),
  text: Type.String({ examples: ['Le contenu ne concerne pas la vie de la commune.'] }),
  kind: fields.oneOf(['rule', 'law']),
  reference: fields.textOrNull('Code pénal, article 226-4-1'),
})

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
    async ({ query, caller }) => ({
      data: await listOwn(reads, isOf(caller.user.id, caller.user.memberships), query),
    }),
  )
}

/** Condition over a publication `p`: the person wrote it, or is a member of its acteur. */
const isOf = (userId: string, memberships: readonly { acteurId: string }[]) => sql<boolean>`
  (p.created_by = ${userId} or p.acteur_id = any(${memberships.map(({ acteurId }) => acteurId)}::uuid[]))`

async function listOwn(
  db: Database,
  isOwn: RawBuilder<boolean>,
  { acteur_id, record_id }: Static<typeof OwnQuery>,
): Promise<OwnStatement[]> {
  const { rows } = await sql<OwnStatement>`
    select s.id, s.entity, s.record_id, s.title, s.restriction, s.ground, s.reason, s.by_report, s.by_machine,
      ${jsonTime(sql`s.decided_at`)} as decided_at
    from publications p join statements s on s.record_id = p.id
    where ${isOwn} and ${holdsOfPublication}
      and ${acteur_id === undefined ? sql`true` : sql`p.acteur_id = ${acteur_id}`}
      and ${record_id === undefined ? sql`true` : sql`p.id = ${record_id}`}
      and not exists (
        select from statements newer
        where newer.record_id = s.record_id and newer.restriction = s.restriction and newer.ended_at is null
          and (newer.decided_at, newer.id) > (s.decided_at, s.id))
    order by s.decided_at desc, s.id desc limit ${sql.lit(shown)}`.execute(db)
  return rows
}
