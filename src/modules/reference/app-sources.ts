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

const example = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

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
    examples: [[example]],
  }),
)
const group_id = fields.nullable(
  fields.Id(
    'It shows what concerns the present members of this group; not together with `commune_ids`, which it replaces, and which replaces it',
  ),
)
const active = Type.Boolean({ description: 'An inactive one is refused', examples: [true] })

const Stored = Type.Object({
  code: Type.String({ examples: ['site-chambery'] }),
  label: Type.String({ examples: ['Site de Chambéry'] }),
  commune_ids: fields.nullable(Type.Array(fields.Id())),
  group_id: fields.nullable(fields.Id()),
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
const group = fields.nullable(
  fields.titled(
    'GroupOfAppSource',
    {
      id: fields.Id(),
      slug: Type.String({ examples: ['ca-du-grand-chambery'] }),
      nom: Type.String({ examples: ['CA du Grand Chambéry'] }),
    },
    'The group of `group_id`',
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
    shown: fields.titled('AppSource', {
      ...Stored.properties,
      communes,
      group,
      own,
      can: fields.Can(actions),
    }),
    present: withNames,
    list: { id: 'listAppSources', summary: 'Applications that may call, by code', sort: sql`code` },
    get: { id: 'getAppSource', summary: 'Read an application' },
    create: {
      id: 'createAppSource',
      summary: 'Create an application; 409 when its code is taken',
      refusals: ['conflict'],
      body: fields.strictObject(
        {
          ...{ code, label },
          commune_ids: Type.Optional(commune_ids),
          group_id: Type.Optional(group_id),
          active: Type.Optional(active),
        },
        { examples: [{ code: 'site-chambery', label: 'Site de Chambéry', commune_ids: [example] }] },
      ),
      values: async (tx, { commune_ids = null, group_id = null, ...body }) => ({
        ...body,
        ...(await knownPlace(tx, { commune_ids, group_id })),
      }),
    },
    update: {
      id: 'updateAppSource',
      summary: 'Change an application; of the service’s own ones only the label changes',
      refusals: ['precondition_failed'],
      body: fields.strictPartial(
        { label, commune_ids, group_id, active },
        { minProperties: 1, examples: [{ group_id: example }] },
      ),
      values: async (tx, body, { code }) => {
        if (ownSources.includes(code)) {
          if (body.active === false) throw invalid('active', messages.own)
          if (body.commune_ids != null) throw invalid('commune_ids', messages.own)
          if (body.group_id != null) throw invalid('group_id', messages.own)
        }
        return { ...body, ...(await knownPlace(tx, body)) }
      },
    },
  })
}

type CommuneName = { id: string; nom: string; departement: string }

/** Adds to applications the names of their communes or their group, and what an administrator may do. */
async function withNames(db: Database, rows: AppSource[]) {
  const ids = [...new Set(rows.flatMap(({ commune_ids }) => commune_ids ?? []))]
  const { rows: communes } = await sql<CommuneName>`
    select id, nom, departement from communes where id = any(${ids}::uuid[]) order by nom, id`.execute(db)
  const groups = await mapGroups(
    db,
    rows.flatMap(({ group_id }) => group_id ?? []),
  )
  return rows.map((row) => {
    const shown = row.commune_ids && new Set(row.commune_ids)
    return withCanOf(actions)({
      ...row,
      communes: shown && communes.filter(({ id }) => shown.has(id)),
      group: (row.group_id && groups.get(row.group_id)) || null,
      own: ownSources.includes(row.code),
    })
  })
}

type GroupName = { id: string; slug: string; nom: string }

async function mapGroups(db: Database, ids: string[]): Promise<Map<string, GroupName>> {
  const { rows } = await sql<GroupName>`
    select id, slug, nom from groups where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

type Place = { commune_ids?: string[] | null; group_id?: string | null }

/** Returns what an application is to show; one that is named replaces the other. 422 for both, and for one that does not exist. */
async function knownPlace(tx: Database, { commune_ids, group_id }: Place): Promise<Place> {
  if (commune_ids != null && group_id != null) throw invalid('group_id', messages.both)
  if (group_id != null) return { group_id: await knownGroup(tx, group_id), commune_ids: null }
  return {
    ...(commune_ids !== undefined && { commune_ids: await knownCommunes(tx, commune_ids) }),
    ...((commune_ids != null || group_id === null) && { group_id: null }),
  }
}

async function knownGroup(tx: Database, id: string): Promise<string> {
  const { rows } = await sql`select from groups where id = ${id} for key share`.execute(tx)
  if (rows.length === 0) throw invalid('group_id', messages.unknownGroup)
  return id
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
  unknownGroup: { en: 'must be an existing group', fr: 'doit être un groupement existant' },
  both: { en: 'excludes commune_ids', fr: 'exclut commune_ids' },
}
