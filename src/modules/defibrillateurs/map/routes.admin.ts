import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { boxOf, cellsOf, mayShowPoints } from './grid.ts'
import { listClusters, listPoints } from './queries.ts'
import { DeviceMap, MapQuery } from './schema.ts'

export function mapRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/defibrillateurs-france/map',
    {
      config: { isList: true },
      schema: {
        operationId: 'mapDefibrillateurs',
        summary: 'Defibrillators of a box for a map: clusters far away, points close up',
        querystring: MapQuery,
        response: { 200: record(DeviceMap) },
      },
    },
    async ({ query }) => {
      const box = boxOf(query.bbox)
      const points = mayShowPoints(query.zoom) ? await listPoints(lists, box, query) : null
      if (points !== null) return { data: { clusters: [], points, total: points.length } }
      const clusters = await listClusters(lists, cellsOf(box, query.zoom), query)
      return { data: { clusters, points: [], total: clusters.reduce((sum, { count }) => sum + count, 0) } }
    },
  )
}
