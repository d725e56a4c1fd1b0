import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, seenRows } from '../../api/versions.ts'
import type { Bounds } from '../../map/map.tsx'
import { type Device, perPage } from '../../shell/records/defibrillateurs/queries.ts'
import { type DefibrillateursSearch, filtersOf, type Statut } from './search.ts'

export type DeviceRecord = components['schemas']['DefibrillateurRecord']
export type DeviceMap = components['schemas']['DefibrillateurMap']

export const listQuery = (search: DefibrillateursSearch) => {
  const { sort = 'nom_asc', page = 1 } = search
  const query = { ...filtersOf(search), sort, page, per_page: perPage }
  return queryOptions({
    queryKey: ['defibrillateurs', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      got(api.GET('/api/v1/admin/defibrillateurs-france', { signal, params: { query: query as never } })),
  })
}

export const mapQuery = (search: DefibrillateursSearch, bounds: Bounds | null, zoom: number) => {
  const { west, south, east, north } = bounds ?? { west: -5.5, south: 41, east: 10, north: 51.5 }
  // Whole decimals: a number with an exponent is refused.
  const bbox = [west, south, east, north].map((degrees) => degrees.toFixed(5))
  const query = { ...filtersOf(search), bbox, zoom: Math.min(22, Math.max(0, Math.floor(zoom))) }
  return queryOptions({
    queryKey: ['defibrillateurs', 'map', query],
    enabled: bounds !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await got(
          api.GET('/api/v1/admin/defibrillateurs-france/map', { signal, params: { query: query as never } }),
        )
      ).data,
  })
}

export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['defibrillateurs', 'one', id],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/defibrillateurs-france/{id}', { signal, params: { path: { id } } })))
        .data,
  })

/** Sets the status of one level, if nobody has changed the device meanwhile. */
export function updateStatut(
  level: 'commune' | 'france',
  device: { id: string; version: number },
  body: { statut_admin: Statut; note?: string | null },
) {
  const params = atVersion(device)
  return level === 'commune'
    ? got(api.PATCH('/api/v1/admin/defibrillateurs/{id}', { params, body }))
    : got(api.PATCH('/api/v1/admin/defibrillateurs-france/{id}', { params, body }))
}

export function updateStatuts(rows: readonly Device[], body: { statut_admin: Statut; note?: string }) {
  return got(api.PATCH('/api/v1/admin/defibrillateurs-france/bulk', { body: { ...seenRows(rows), ...body } }))
}
