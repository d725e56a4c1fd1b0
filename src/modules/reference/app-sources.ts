import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { always, withCanOf } from '../../platform/access/rules.ts'
import type { AuditedKind } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { resourceRoutes, tableRows } from '../../platform/http/resource.ts'
import * as fields from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'

export const codePattern = '^[a-z0-9][a-z0-9_-]{0,49}$'
const code = Type.String({
  pattern: codePattern,
  description: 'As in the header `X-App-Source`; it stays',
  examples: ['site-chambery'],
})
const label = fields.filledLine(100, { examples: ['Site de Chambéry'] })
const commune_ids = fields.nullable(
  Type.Array(fields.Id(), {
    maxItems: 500,
    description: 'It shows what concerns these communes only; null: everything public',
    examples: [['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e']],
  }),
)
const active = Type.Boolean({ description: 'An inactive one is refused', examples: [true] })

const Stored = Type.Object({
  code: Type.String({ examples: ['site-chambery'] }),
  label: Type.String({ examples: ['Site de Chambéry'] }),
  commune_ids: fields.nullable(Type.Array(fields.Id())),
  active,
  version: Type.Integer({ examples: [1] }),
  created_at: fields.ResponseTimestamp(),
  updated_at: fields.ResponseTimestamp(),
})
/** An application; its code is its id. */
type AppSource = Static<typeof Stored> & { id: string }

const communes = fields.nullable(
  Type.Array(
    Type.Object({
      id: fields.Id(),
      nom: Type.String({ examples: ['Chambéry'] }),
      departement: Type.String({ examples: ['73'] }),
    }),
    { description: 'The communes of `commune_ids`, by name' },
  ),
)
const own = Type.Boolean({
  description: 'It belongs to the service: only its label changes',
  examples: [false],
})

const actions = { edit: always }
/** An application as an audited record. */
export const appSource = { entity: 'app_source', personal: [] } satisfies AuditedKind
// Refusing or restricting these would lock out the service's own applications and unnamed clients. The public site is not
// among them: a town restricts it to itself.
export const ownSources = ['public', 'mairie', 'backoffice']

export function appSourcesRoutes(scope: SignedInScope, deps: Deps): void {
  resourceRoutes(scope, deps, {
    path: '/admin/app-sources',
    key: { name: 'code', schema: code },
    kind: appSource,
    rows: tableRows<AppSource>('app_sources', Stored.properties, { key: 'code' }),
    shown: fields.titled('AppSource', { ...Stored.properties, communes, own, can: fields.Can(actions) }),
    present: withNames,
    list: { id: 'listAppSources', summary: 'Applications that may call, by code', sort: sql`code` },
    get: { id: 'getAppSource', summary: 'Read an application' },
    create: {
      id: 'createAppSource',
      summary: 'Create an application; 409 when its code is taken',
      refusals: ['conflict'],
      body: fields.strictObject({
        ...{ code, label },
        commune_ids: Type.Optional(commune_ids),
        active: Type.Optional(active),
      }),
      values: async (tx, { commune_ids = null, ...body }) => ({
        ...body,
        commune_ids: await knownCommunes(tx, commune_ids),
      }),
    },
    update: {
      id: 'updateAppSource',
      summary: 'Change an application; of the service’s own ones only the label changes',
      refusals: ['precondition_failed'],
      body: fields.strictPartial({ label, commune_ids, active }, { minProperties: 1 }),
      values: async (tx, body, { code }) => {
        if (ownSources.includes(code)) {
          if (body.active === false) throw invalid('active', messages.own)
          if (body.commune_ids != null) throw invalid('commune_ids', messages.own)
        }
        if (body.commune_ids === undefined) return body
        return { ...body, commune_ids: await knownCommunes(tx, body.commune_ids) }
      },
    },
  })
}

type CommuneName = { id: string; nom: string; departement: string }

/** Adds to applications the names of their communes, and what an administrator may do. */
async function withNames(db: Database, rows: AppSource[]) {
  const ids = [...new Set(rows.flatMap(({ commune_ids }) => commune_ids ?? []))]
  const { rows: communes } = await sql<CommuneName>`
    select id, nom, departement from communes where id = any(${ids}::uuid[]) order by nom, id`.execute(db)
  return rows.map((row) => {
    const shown = row.commune_ids && new Set(row.commune_ids)
    return withCanOf(actions)({
      ...row,
      communes: shown && communes.filter(({ id }) => shown.has(id)),
      own: ownSources.includes(row.code),
    })
  })
}

/** Returns these communes without duplicates and sorted; 422 if one does not exist. */
async function knownCommunes(tx: Database, ids: string[] | null): Promise<string[] | null> {
  if (ids === null) return null
  const all = [...new Set(ids.map((id) => id.toLowerCase()))].sort()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from communes where id = any(${all}::uuid[])`.execute(tx)
  if ((rows[0]?.count ?? 0) < all.length) throw invalid('commune_ids', messages.unknown)
  return all
}

const messages = {
  own: {
    en: 'cannot change: the application belongs to the service',
    fr: 'ne peut pas changer : l’application appartient au service',
  },
  unknown: { en: 'must be existing communes', fr: 'doivent être des communes existantes' },
}
