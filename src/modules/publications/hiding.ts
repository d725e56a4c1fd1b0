import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page, pagingQuery } from '../../platform/http/listing/paging.ts'
import {
  DateOnly,
  Id,
  nullable,
  ResponseTimestamp,
  record,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { canEdit } from '../communes/editing/can-edit.ts'
import { changeInCommune } from '../communes/editing/change-in-commune.ts'
import { communeRules, requireInScope } from '../communes/permissions.ts'
import { dropMailsOfHiding, queueMails } from './notify.ts'
import { publication } from './record.ts'
import { visible } from './visibility.ts'

const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })
const ByCommuneAndId = Type.Object({
  ...ByCommune.properties,
  publicationId: Id('Identifier of the publication'),
})

const GroupPublicationsQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  hidden: Type.Optional(Type.Boolean({ description: 'Hidden in this commune, or not. Default: both' })),
})
type GroupPublicationsQuery = Static<typeof GroupPublicationsQuery>

const GroupPublication = titled('GroupPublication', {
  id: Id(),
  slug: Type.String({ examples: ['collecte-reportee'] }),
  titre: Type.String({ examples: ['Collecte reportée'] }),
  acteur: titled('GroupPublicationActeur', {
    id: Id(),
    slug: Type.String({ examples: ['grand-chambery'] }),
    nom: Type.String({ examples: ['Grand Chambéry'] }),
  }),
  publie_le: ResponseTimestamp(),
  date_debut: nullable(DateOnly('Of an event')),
  hidden_at: nullable(ResponseTimestamp('Since when this commune hides it; null: it shows it')),
  may_hide: Type.Boolean({
    description: 'Whether the caller may hide it in this commune, and show it again',
  }),
})
type GroupPublication = Omit<Static<typeof GroupPublication>, 'may_hide'>

const path = '/mairie/communes/:communeId/group-publications'

export function hidingRoutes(scope: SignedInScope, deps: Deps): void {
  const { reads, lists } = deps
  const guarded = {
    needs: communeRules.editForMairie.name,
    limit: { name: 'edit', sparesAdmins: true },
  } as const

  scope.get(
    path,
    {
      schema: {
        operationId: 'listGroupPublicationsOfMairie',
        summary:
          'What groups publish for a commune and the public sees, newest first, also what the commune hides',
        params: ByCommune,
        querystring: GroupPublicationsQuery,
        response: { 200: Page(GroupPublication) },
      },
    },
    async ({ params: { communeId }, query, caller }) => {
      requireInScope(caller, communeId)
      const may_hide = await canEdit(reads, caller, communeId)
      const list = groupPublicationsOf(communeId)
      return numberedPage(lists, list, query, adminPerPage, (row) => ({ ...row, may_hide }))
    },
  )

  scope.put(
    `${path}/:publicationId/hidden`,
    {
      config: { ...guarded, audits: 'publication.hide_in_commune' },
      schema: {
        operationId: 'hideGroupPublication',
        summary: 'Hide what a group publishes on the pages and in the lists of a commune; others show it',
        params: ByCommuneAndId,
        response: { 200: record(GroupPublication) },
      },
    },
    async ({ params, caller }) => ({ data: await hide(deps, caller, params) }),
  )

  scope.delete(
    `${path}/:publicationId/hidden`,
    {
      config: { ...guarded, audits: 'publication.show_in_commune' },
      schema: {
        operationId: 'showGroupPublication',
        summary: 'Show again what a group publishes in a commune that hides it',
        params: ByCommuneAndId,
        response: { 200: record(GroupPublication) },
      },
    },
    async ({ params, caller }) => ({ data: await show(deps, caller, params) }),
  )
}

type Tools = Pick<Deps, 'db' | 'jobs'>
type Named = Static<typeof ByCommuneAndId>

/** Hides a publication in a commune, and tells its acteur's team; changes nothing if the commune hides it already. */
const hide = ({ db, jobs }: Tools, caller: SignedIn, named: Named) =>
  changeHiding(db, caller, named, async (tx, { publicationId, communeId }) => {
    const { numAffectedRows } = await sql`
      insert into publication_hidings (publication_id, commune_id) values (${publicationId}, ${communeId})
      on conflict on constraint publication_hidings_pkey do nothing`.execute(tx)
    if (numAffectedRows === 0n) return
    const change = { kind: publication, entityId: publicationId, after: { commune_id: communeId } }
    await append(tx, caller, { action: 'publication.hide_in_commune', ...change })
    const about = { decisionId: null, publicationIds: [publicationId], communeId }
    await queueMails(tx, { jobs }, caller, { kind: 'hidden_in_commune', ...about })
  })

/** Shows it again. A mail that is not sent yet is dropped. */
const show = ({ db }: Tools, caller: SignedIn, named: Named) =>
  changeHiding(db, caller, named, async (tx, { publicationId, communeId }) => {
    const { numAffectedRows } = await sql`
      delete from publication_hidings
      where publication_id = ${publicationId} and commune_id = ${communeId}`.execute(tx)
    if (numAffectedRows === 0n) return
    const change = { kind: publication, entityId: publicationId, before: { commune_id: communeId } }
    await append(tx, caller, { action: 'publication.show_in_commune', ...change })
    await dropMailsOfHiding(tx, publicationId, communeId)
  })

/** Locks the publication, so that colleagues and a deletion wait, or have been waited for. */
const changeHiding = (
  db: Database,
  caller: SignedIn,
  { communeId, publicationId }: Named,
  work: (tx: Database, named: Named) => Promise<void>,
) =>
  changeInCommune(db, caller, communeId, async (tx, communeId) => {
    await sql`select from publications where id = ${publicationId} for no key update`.execute(tx)
    const before = (await findIn(tx, communeId, publicationId)) ?? raise(notFound())
    await work(tx, { communeId, publicationId: before.id })
    const { hidden_at } = await findHiding(tx, communeId, before.id)
    return { ...before, hidden_at, may_hide: true }
  })

async function findHiding(tx: Database, communeId: string, id: string): Promise<{ hidden_at: Date | null }> {
  const { rows } = await sql<{ hidden_at: Date }>`
    select hidden_at from publication_hidings where publication_id = ${id} and commune_id = ${communeId}`.execute(
    tx,
  )
  return rows[0] ?? { hidden_at: null }
}

const groupPublicationsOf = (communeId: string): List<GroupPublicationsQuery, GroupPublication> => ({
  name: 'group-publications',
  from: tables,
  as: 'p',
  where: allOf(visible, sql`p.id in (${inCommune(communeId)})`),
  filters: { hidden: (isHidden) => sql`${hidings(communeId)} is ${sql.raw(isHidden ? 'not null' : 'null')}` },
  filtersFirst: () => true,
  sorts: {
    publie_le: [
      { by: sql`p.publie_le`, type: 'time' },
      { by: sql`p.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'publie_le_desc' },
  columns: columnsIn(communeId),
  join: acteur,
})

const acteur = sql`left join acteurs a on a.id = p.acteur_id`
const tables = sql`publications p ${acteur}`

/** What groups publish for a commune, and what it hides, whatever became of the group and its members. */
const inCommune = (communeId: string): RawBuilder<unknown> => sql`
  select place.publication_id from publication_places place
  join publications placed on placed.id = place.publication_id
  where place.commune_id = ${communeId} and placed.acteur_id = any(array(
    select g.acteur_id from groups g where g.acteur_id is not null))
  union select h.publication_id from publication_hidings h where h.commune_id = ${communeId}`

const hidings = (communeId: string) => sql`(
  select h.hidden_at from publication_hidings h where h.publication_id = p.id and h.commune_id = ${communeId})`

const columnsIn = (communeId: string) => sql<GroupPublication>`
  p.id, p.slug, p.title as titre, p.publie_le, p.date_debut, ${hidings(communeId)} as hidden_at,
  json_build_object('id', a.id, 'slug', a.slug, 'nom', a.nom) as acteur`

/** Finds a visible publication that a group publishes for a commune, or that the commune hides. */
async function findIn(tx: Database, communeId: string, id: string): Promise<GroupPublication | undefined> {
  const { rows } = await sql<GroupPublication>`
    select ${columnsIn(communeId)} from ${tables}
    where p.id = ${id} and ${visible} and (
      exists (select from publication_hidings h where h.publication_id = p.id and h.commune_id = ${communeId})
      or exists (select from groups g where g.acteur_id = p.acteur_id) and exists (
        select from publication_places place where place.publication_id = p.id and place.commune_id = ${communeId}))`.execute(
    tx,
  )
  return rows[0]
}
