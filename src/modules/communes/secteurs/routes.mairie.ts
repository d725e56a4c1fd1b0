import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { requireRow } from '../../../platform/database/require-row.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { canEdit } from '../can-edit.ts'
import { communeRules, requireInScope } from '../permissions.ts'
import { ByCommune } from '../schema.ts'
import { keyOf } from './names.ts'
import { countCollectes, getSecteur, listSecteurRows } from './queries.ts'
import { countInZone, createSecteur, deleteSecteur, updateSecteur } from './rules.ts'
import {
  AddressesInZone,
  DrawnZone,
  ManagedSecteur,
  maxPoints,
  OfSecteur,
  SecteurCreate,
  type SecteurRow,
  SecteurUpdate,
  type Zone,
} from './schema.ts'

const path = '/mairie/communes/:communeId/secteurs'
const guarded = {
  needs: communeRules.editForMairie.name,
  limit: { name: 'edit', sparesAdmins: true },
} as const

/** The secteurs of a commune, with the streets and the area of each. */
export function secteursOfMairieRoutes(scope: SignedInScope, deps: Deps): void {
  readingRoutes(scope, deps)
  changingRoutes(scope, deps)
}

function readingRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    path,
    {
      schema: {
        operationId: 'listMairieSecteurs',
        summary: 'The secteurs of the collections of a commune, by name, with their streets and areas',
        params: ByCommune,
        response: { 200: list(ManagedSecteur) },
      },
    },
    async ({ params: { communeId }, caller }) => {
      requireInScope(caller, communeId)
      await requireRow(reads, 'communes', communeId)
      return { data: await withCan(reads, caller, communeId, await listSecteurRows(reads, communeId)) }
    },
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        operationId: 'getMairieSecteur',
        summary: 'Read a secteur of a commune with its streets and its area',
        params: OfSecteur,
        response: { 200: record(ManagedSecteur) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await readFor(caller)(reads, await getSecteur(reads, params)) }
    },
  )

  scope.post(
    `${path}/addresses`,
    {
      config: { needs: communeRules.editForMairie.name },
      schema: {
        operationId: 'countAddressesInZone',
        summary: 'How many addresses of a commune an area holds that is not saved yet',
        description: `Of an area with at most ${maxPoints} points.`,
        params: ByCommune,
        body: DrawnZone,
        response: { 200: record(AddressesInZone) },
      },
    },
    async ({ params: { communeId }, body, caller }) => {
      requireInScope(caller, communeId)
      return { data: await countInZone(reads, communeId, body.zone as Zone) }
    },
  )
}

function changingRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    path,
    {
      config: {
        ...guarded,
        audits: 'secteur.create',
        location: `${path}/{id}`,
        refusals: ['secteur_exists'],
      },
      schema: {
        operationId: 'createMairieSecteur',
        summary: 'Create a secteur before a collection names it',
        params: ByCommune,
        body: SecteurCreate,
        response: { 201: record(ManagedSecteur) },
      },
    },
    async ({ params: { communeId }, body, caller }, reply) => {
      requireInScope(caller, communeId)
      const data = await createSecteur(db, caller, communeId, body, readFor(caller))
      return reply.code(201).send({ data })
    },
  )

  scope.patch(
    `${path}/:id`,
    {
      config: {
        ...guarded,
        audits: 'secteur.update',
        refusals: ['precondition_failed', 'secteur_exists'],
      },
      schema: {
        operationId: 'updateMairieSecteur',
        summary: 'Rename a secteur with its collections, or replace its streets or its area',
        params: OfSecteur,
        body: SecteurUpdate,
        response: { 200: record(ManagedSecteur) },
      },
    },
    async ({ params, body, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await updateSecteur(db, caller, params, body, readFor(caller)) }
    },
  )

  scope.delete(
    `${path}/:id`,
    {
      config: {
        ...guarded,
        audits: 'secteur.delete',
        refusals: ['precondition_failed', 'secteur_in_use'],
      },
      schema: {
        operationId: 'deleteMairieSecteur',
        summary: 'Delete a secteur that no collection names; the response shows it as it last was',
        params: OfSecteur,
        response: { 200: record(ManagedSecteur) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: { ...(await deleteSecteur(db, caller, params, readFor(caller))), can: [] } }
    },
  )
}

const readFor =
  (caller: SignedIn) =>
  async (db: Database, row: SecteurRow): Promise<ManagedSecteur> => {
    const [secteur] = await withCan(db, caller, row.commune_id, [row])
    if (secteur === undefined) throw new Error('a secteur without its response')
    return secteur
  }

/** Adds how many collections each has, and what the caller may do. */
async function withCan(
  db: Database,
  caller: SignedIn,
  communeId: string,
  rows: SecteurRow[],
): Promise<ManagedSecteur[]> {
  const counts = [...(await countCollectes(db, communeId))]
  const mayEdit = await canEdit(db, caller, communeId)
  return rows.map(({ id, commune_id, nom, anciens_noms, rues, zone, version, created_at, updated_at }) => {
    const own = counts.filter(([name]) => keyOf(name) === keyOf(nom))
    const collectes = own.reduce((sum, [, count]) => sum + count, 0)
    const can: ManagedSecteur['can'] = mayEdit ? (collectes > 0 ? ['edit'] : ['edit', 'delete']) : []
    return {
      ...{ id, commune_id, nom, anciens_noms, rues, zone, version, created_at, updated_at },
      ...{ collectes, can },
    }
  })
}
