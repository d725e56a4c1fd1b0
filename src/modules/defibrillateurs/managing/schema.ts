import Type, { type Static } from 'typebox'
import { ListPage } from '../../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../../platform/http/listing/paging.ts'
import { Id, oneOf, textOrNull } from '../../../platform/http/validation/schemas.ts'
import { etats } from '../etats.ts'
import { codeInsee, lastSynced, latestStatus, ManagedDefibrillateur, searched, statuts } from '../schema.ts'

export const filters = {
  ...listQuery,
  sort: sortQuery(['nom', 'commune_nom', 'mis_a_jour_le'], 'nom_asc'),
  ids: idsQuery,
  q: searched,
  statut_admin: several(oneOf(statuts), 'Of one of these, on the level of the list'),
  etat_fonctionnement: several(oneOf(etats), 'In one of these conditions, as the registry says'),
  absent: several(Type.Boolean(), 'Whether it disappeared from the registry'),
}
export const CommuneQuery = Type.Object(filters)
export const FranceQuery = Type.Object({ ...filters, code_insee: codeInsee })
export type ManagedQuery = Static<typeof FranceQuery>

const { data, meta } = ListPage(ManagedDefibrillateur).properties

/** A page with the result of the latest sync. */
export const ManagedPage = Type.Object({
  data,
  meta: Type.Object({
    ...meta.properties,
    last_synced_at: lastSynced,
    sync_status: latestStatus,
    sync_error: textOrNull('The registry answered 503.'),
  }),
})

export const ByCommune = Type.Object({ id: Id('Identifier of the commune') })
export const ById = Type.Object({ id: Id('Identifier of the defibrillator') })
