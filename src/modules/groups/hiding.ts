import { type RawBuilder, sql } from 'kysely'
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { AuditedKind } from '../../platform/audit/record.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page, pagingQuery } from '../../platform/http/listing/paging.ts'
import { Id, nullable, ResponseTimestamp, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { canEdit } from '../communes/can-edit.ts'
import { changeInCommune } from '../communes/editing/change-in-commune.ts'
import { communeRules, requireInScope } from '../communes/permissions.ts'

type Route = { operationId: string; summary: string }
type Effect<Row> = (tx: Database, deps: Deps, caller: SignedIn, hiding: Hiding<Row>) => Promise<void>
type Hiding<Row> = { row: Row; communeId: string }

/**
 * A kind of record that groups make for communes, and that the mairie of each may hide in its own. `<entity>_hidings` has the
 * hidings; expressions name the acteur of a record `a`.
 */
type Hidable<Row> = {
  kind: AuditedKind
  table: string
  /** The name of a record in expressions. */
  as: string
  /** Path of the list; a record is below it, by the parameter `key`. */
  path: string
  key: string
  params: { list: TObject; one: TObject }
  /** Title of a record, and its fields beside `acteur`, `hidden_at` and `may_hide`. */
  shown: { title: string; fields: TProperties; columns: RawBuilder<unknown> }
  /** The time by which the list is sorted, newest first. */
  time: string
  /** Matches what groups make for a commune, and what it hides; `isOne` by the id of a record, where that needs another way. */
  isListed(communeId: string): RawBuilder<boolean>
  isOne?(communeId: string): RawBuilder<boolean>
  list: Route
  /** `effect` goes with the hiding, or its end, in the same transaction. */
  hide: Route & { effect: Effect<Row> }
  show: Route & { effect: Effect<Row> }
  /** Added to the schema of each route. */
  schema?: object
}
type Named = Pick<Hidable<unknown>, 'kind' | 'table' | 'as'>
type Stored = { id: string; hidden_at: Date | null }

const HidingsQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  hidden: Type.Optional(Type.Boolean({ description: 'Hidden in this commune, or not. Default: both' })),
})
type HidingsQuery = Static<typeof HidingsQuery>

/** Registers the list of what groups make for a commune, and the routes that hide and show a record there. */
export function registerHiding<Row extends Stored>(scope: SignedInScope, deps: Deps, of: Hidable<Row>): void {
  const { reads, lists } = deps
  const Shown = shownIn(of.shown)
  const config = {
    needs: communeRules.editForMairie.name,
    limit: { name: 'edit', sparesAdmins: true },
  } as const

  scope.get(
    of.path,
    {
      schema: {
        ...of.schema,
        operationId: of.list.operationId,
        summary: of.list.summary,
        params: of.params.list,
        querystring: HidingsQuery,
        response: { 200: Page(Shown) },
      },
    },
    async ({ params, query, caller }) => {
      const { communeId } = params as { communeId: string }
      requireInScope(caller, communeId)
      const may_hide = await canEdit(reads, caller, communeId)
      return numberedPage(lists, listIn(of, communeId), query, adminPerPage, (row) => ({ ...row, may_hide }))
    },
  )

  const register = (method: 'put' | 'delete', { operationId, summary }: Route, isHidden: boolean) =>
    scope[method](
      `${of.path}/:${of.key}/hidden`,
      {
        config: { ...config, audits: actionOf(of, isHidden) },
        schema: {
          ...of.schema,
          ...{ operationId, summary, params: of.params.one, response: { 200: record(Shown) } },
        },
      },
      async ({ params, caller }) => {
        const { communeId = '', [of.key]: id = '' } = params as Record<string, string>
        return { data: await setHidden(deps, caller, of, { communeId, id, isHidden }) }
      },
    )
  register('put', of.hide, true)
  register('delete', of.show, false)
}

const shownIn = ({ title, fields }: Hidable<Stored>['shown']): TSchema =>
  titled(title, {
    ...fields,
    acteur: titled(`${title}Acteur`, {
      id: Id(),
      slug: Type.String({ examples: ['grand-chambery'] }),
      nom: Type.String({ examples: ['Grand Chambéry'] }),
    }),
    hidden_at: nullable(ResponseTimestamp('Since when this commune hides it; null: it shows it')),
    may_hide: Type.Boolean({
      description: 'Whether the caller may hide it in this commune, and show it again',
    }),
  })

/**
 * Hides a record in a commune, or shows it again; changes nothing if it is so already. Locks the record, so that colleagues
 * and a deletion wait, or have been waited for.
 */
const setHidden = <Row extends Stored>(
  deps: Deps,
  caller: SignedIn,
  of: Hidable<Row>,
  named: { communeId: string; id: string; isHidden: boolean },
) =>
  changeInCommune(deps.db, caller, named.communeId, async (tx, communeId) => {
    await sql`select from ${sql.table(of.table)} where id = ${named.id} for no key update`.execute(tx)
    const row = (await findIn(tx, of, communeId, named.id)) ?? raise(notFound())
    const { isHidden } = named
    if (await write(tx, of, { row, communeId, isHidden })) {
      await (isHidden ? of.hide : of.show).effect(tx, deps, caller, { row, communeId })
      const values = { [isHidden ? 'after' : 'before']: { commune_id: communeId } }
      const change = { action: actionOf(of, isHidden), kind: of.kind, entityId: row.id, ...values }
      await append(tx, caller, change)
    }
    return { ...row, hidden_at: await findHiddenAt(tx, of, communeId, row.id), may_hide: true }
  })

async function write<Row extends Stored>(
  tx: Database,
  of: Hidable<Row>,
  { row: { id }, communeId, isHidden }: Hiding<Row> & { isHidden: boolean },
): Promise<boolean> {
  const { hidings, column } = namesOf(of)
  const { numAffectedRows } = await (isHidden
    ? sql`insert into ${hidings} (${column}, commune_id) values (${id}, ${communeId}) on conflict do nothing`
    : sql`delete from ${hidings} where ${column} = ${id} and commune_id = ${communeId}`
  ).execute(tx)
  return numAffectedRows === 1n
}

async function findHiddenAt<Row>(tx: Database, of: Hidable<Row>, communeId: string, id: string) {
  const { hidings, column } = namesOf(of)
  const { rows } = await sql<{ hidden_at: Date }>`
    select hidden_at from ${hidings} where ${column} = ${id} and commune_id = ${communeId}`.execute(tx)
  return rows[0]?.hidden_at ?? null
}

const listIn = <Row>(of: Hidable<Row>, communeId: string): List<HidingsQuery, Row> => ({
  name: `group-${of.table}`,
  from: tablesOf(of),
  as: of.as,
  where: of.isListed(communeId),
  filters: {
    hidden: (isHidden) => sql`${hiddenAt(of, communeId)} is ${sql.raw(isHidden ? 'not null' : 'null')}`,
  },
  filtersFirst: () => true,
  sorts: {
    [of.time]: [
      { by: sql.ref(`${of.as}.${of.time}`), type: 'time' },
      { by: sql.ref(`${of.as}.id`), type: 'id' },
    ],
  },
  defaults: { sort: `${of.time}_desc` },
  columns: columnsIn(of, communeId),
  join: acteurOf(of),
})

async function findIn<Row>(tx: Database, of: Hidable<Row>, communeId: string, id: string) {
  const { rows } = await sql<Row>`
    select ${columnsIn(of, communeId)} from ${tablesOf(of)}
    where ${sql.ref(`${of.as}.id`)} = ${id} and ${(of.isOne ?? of.isListed)(communeId)}`.execute(tx)
  return rows[0]
}

const acteurOf = ({ as }: Named) => sql`left join acteurs a on a.id = ${sql.ref(`${as}.acteur_id`)}`
const tablesOf = (of: Named) => sql`${sql.table(of.table)} ${sql.id(of.as)} ${acteurOf(of)}`

const columnsIn = <Row>(of: Hidable<Row>, communeId: string) => sql<Row>`
  ${of.shown.columns}, ${hiddenAt(of, communeId)} as hidden_at,
  json_build_object('id', a.id, 'slug', a.slug, 'nom', a.nom) as acteur`

function hiddenAt<Row>(of: Hidable<Row>, communeId: string) {
  const { hidings, column } = namesOf(of)
  return sql`(select h.hidden_at from ${hidings} h where h.${column} = ${sql.ref(`${of.as}.id`)} and h.commune_id = ${communeId})`
}

const namesOf = ({ kind: { entity } }: Named) => ({
  hidings: sql.table(`${entity}_hidings`),
  column: sql.ref(`${entity}_id`),
})

const actionOf = ({ kind }: Named, isHidden: boolean) =>
  `${kind.entity}.${isHidden ? 'hide' : 'show'}_in_commune`
