import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page, pagingQuery } from '../../platform/http/listing/paging.ts'
import { Id, nullable, ResponseTimestamp, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { canEdit } from '../communes/editing/can-edit.ts'
import { changeInCommune } from '../communes/editing/change-in-commune.ts'
import { communeRules, requireInScope } from '../communes/permissions.ts'
import { announceShownAgain, lockBroadcasts } from '../subscribers/broadcasts/announce.ts'
import { queueMails } from './hiding-mails.ts'
import { isFor, speakingGroups } from './queries.ts'
import { alerte } from './record.ts'
import { alerteFields, ByCommune, OfCommune, provisional } from './schema.ts'

const GroupAlertesQuery = Type.Object({
  ...pagingQuery(adminPerPage),
  hidden: Type.Optional(Type.Boolean({ description: 'Hidden in this commune, or not. Default: both' })),
})
type GroupAlertesQuery = Static<typeof GroupAlertesQuery>

const { commune_id, acteur_id, ...shownFields } = alerteFields
const GroupAlerte = titled('GroupAlerte', {
  ...shownFields,
  acteur: titled('GroupAlerteActeur', {
    id: Id(),
    slug: Type.String({ examples: ['grand-chambery'] }),
    nom: Type.String({ examples: ['Grand Chambéry'] }),
  }),
  hidden_at: nullable(ResponseTimestamp('Since when this commune hides it; null: it shows it')),
  may_hide: Type.Boolean({
    description: 'Whether the caller may hide it in this commune, and show it again',
  }),
})
type GroupAlerte = Omit<Static<typeof GroupAlerte>, 'may_hide'>

const path = '/mairie/communes/:communeId/group-alertes'

export function alertesOfGroupsRoutes(scope: SignedInScope, deps: Deps): void {
  const { reads, lists } = deps
  const guarded = {
    needs: communeRules.editForMairie.name,
    limit: { name: 'edit', sparesAdmins: true },
  } as const

  scope.get(
    path,
    {
      schema: {
        ...provisional,
        operationId: 'listGroupAlertesOfMairie',
        summary:
          'Alerts of groups for a commune, in force or not, newest first, also those that the commune hides',
        params: ByCommune,
        querystring: GroupAlertesQuery,
        response: { 200: Page(GroupAlerte) },
      },
    },
    async ({ params: { communeId }, query, caller }) => {
      requireInScope(caller, communeId)
      const may_hide = await canEdit(reads, caller, communeId)
      const list = groupAlertesOf(communeId)
      return numberedPage(lists, list, query, adminPerPage, (row) => ({ ...row, may_hide }))
    },
  )

  scope.put(
    `${path}/:id/hidden`,
    {
      config: { ...guarded, audits: 'alerte.hide_in_commune' },
      schema: {
        ...provisional,
        operationId: 'hideGroupAlerte',
        summary:
          'Hide an alert of a group on the pages of a commune, and send no more of it to its residents; others show it',
        params: OfCommune,
        response: { 200: record(GroupAlerte) },
      },
    },
    async ({ params, caller }) => ({ data: await hide(deps, caller, params) }),
  )

  scope.delete(
    `${path}/:id/hidden`,
    {
      config: { ...guarded, audits: 'alerte.show_in_commune' },
      schema: {
        ...provisional,
        operationId: 'showGroupAlerte',
        summary:
          'Show an alert of a group again in a commune that hides it, and send it to its residents who did not get it',
        params: OfCommune,
        response: { 200: record(GroupAlerte) },
      },
    },
    async ({ params, caller }) => ({ data: await show(deps, caller, params) }),
  )
}

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock'>
type Named = Static<typeof OfCommune>

/** Hides an alert in a commune, and tells the team of its group; changes nothing if the commune hides it already. */
const hide = ({ db, jobs }: Tools, caller: SignedIn, named: Named) =>
  changeHiding(db, caller, named, async (tx, { id }, communeId) => {
    const { numAffectedRows } = await sql`
      insert into alerte_hidings (alerte_id, commune_id) values (${id}, ${communeId})
      on conflict on constraint alerte_hidings_pkey do nothing`.execute(tx)
    if (numAffectedRows === 0n) return
    await lockBroadcasts(tx, id)
    const after = { commune_id: communeId }
    await append(tx, caller, { action: 'alerte.hide_in_commune', kind: alerte, entityId: id, after })
    await queueMails(tx, { jobs }, caller, { alerteId: id, communeId })
  })

/** Shows it again, and tells residents who were not told of it. A mail to the group that is not sent yet goes with the hiding. */
const show = ({ db, jobs, clock }: Tools, caller: SignedIn, named: Named) =>
  changeHiding(db, caller, named, async (tx, shown, communeId) => {
    const { id } = shown
    const { numAffectedRows } = await sql`
      delete from alerte_hidings where alerte_id = ${id} and commune_id = ${communeId}`.execute(tx)
    if (numAffectedRows === 0n) return
    await announceShownAgain(tx, { jobs }, shown, clock())
    const before = { commune_id: communeId }
    await append(tx, caller, { action: 'alerte.show_in_commune', kind: alerte, entityId: id, before })
  })

/** Locks the alert, so that colleagues and a deletion wait, or have been waited for. */
const changeHiding = (
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  work: (tx: Database, before: GroupAlerte, communeId: string) => Promise<void>,
) =>
  changeInCommune(db, caller, communeId, async (tx, communeId) => {
    await sql`select from alertes where id = ${id} for no key update`.execute(tx)
    const before = (await findIn(tx, communeId, id)) ?? raise(notFound())
    await work(tx, before, communeId)
    return { ...before, hidden_at: await findHiddenAt(tx, communeId, id), may_hide: true }
  })

async function findHiddenAt(tx: Database, communeId: string, id: string): Promise<Date | null> {
  const { rows } = await sql<{ hidden_at: Date }>`
    select hidden_at from alerte_hidings where alerte_id = ${id} and commune_id = ${communeId}`.execute(tx)
  return rows[0]?.hidden_at ?? null
}

const groupAlertesOf = (communeId: string): List<GroupAlertesQuery, GroupAlerte> => ({
  name: 'group-alertes',
  from: tables,
  as: 'al',
  where: inCommune(communeId),
  filters: { hidden: (isHidden) => sql`${hidings(communeId)} is ${sql.raw(isHidden ? 'not null' : 'null')}` },
  filtersFirst: () => true,
  sorts: {
    created_at: [
      { by: sql`al.created_at`, type: 'time' },
      { by: sql`al.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'created_at_desc' },
  columns: columnsIn(communeId),
  join: acteur,
})

const acteur = sql`left join acteurs a on a.id = al.acteur_id`
const tables = sql`alertes al ${acteur}`

/** Matches what groups alert for a commune, and what it hides, whatever became of the group and its members. */
const inCommune = (communeId: string): RawBuilder<boolean> => sql<boolean>`(
  coalesce(a.active and a.deleted_at is null, true) and al.id in (
    select al.id from alertes al where al.acteur_id = any(array(${speakingGroups(communeId)})) and ${isFor(communeId)}
    union select h.alerte_id from alerte_hidings h where h.commune_id = ${communeId}))`

const hidings = (communeId: string) => sql`(
  select h.hidden_at from alerte_hidings h where h.alerte_id = al.id and h.commune_id = ${communeId})`

const columnsIn = (communeId: string) => sql<GroupAlerte>`
  al.id, al.titre, al.message, al.niveau, al.debut, al.fin, al.created_at, ${hidings(communeId)} as hidden_at,
  json_build_object('id', a.id, 'slug', a.slug, 'nom', a.nom) as acteur`

/** Finds an alert that a group makes for a commune, or that the commune hides. */
async function findIn(tx: Database, communeId: string, id: string): Promise<GroupAlerte | undefined> {
  const { rows } = await sql<GroupAlerte>`
    select ${columnsIn(communeId)} from ${tables} where al.id = ${id} and ${inCommune(communeId)}`.execute(tx)
  return rows[0]
}
