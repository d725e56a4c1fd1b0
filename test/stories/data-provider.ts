import { isDeepStrictEqual } from 'node:util'
import { type DataProvider, fetchUtils, type GetListParams } from 'ra-core'

/** Paths to read or change single records, when they differ from the list's. */
const elsewhere: Record<string, { one?: (id: string) => string; change?: (id: string) => string }> = {
  // Members and administrators edit content; the back-office decides on it.
  publications: { change: (id) => `/publications/${id}` },
  communes: { one: (id) => `/admin/communes/${id}/full` },
}

type Call = { method: string; path: string }

/**
 * A react-admin data provider for this API: one path per resource, `version` sent back as `If-Match`, lists that
 * filter, sort and count. Records each request.
 */
export function parvisDataProvider(url: string, token: string) {
  const calls: Call[] = []
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    calls.push({ method, path })
    const { json } = await fetchUtils.fetchJson(`${url}/api/v1${path}`, {
      method,
      headers: new Headers({ 'X-App-Source': 'backoffice', Authorization: `Bearer ${token}`, ...headers }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return json
  }
  async function list(resource: string, { pagination, sort, filter }: GetListParams) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filter })) query.set(name, String(value))
    if (pagination) {
      query.set('page', String(pagination.page))
      query.set('per_page', String(pagination.perPage))
    }
    if (sort) query.set('sort', `${sort.field}_${sort.order.toLowerCase()}`)
    const { data, meta } = await send('GET', `/admin/${resource}?${query}`)
    return { data, total: meta.total }
  }
  const pathOf = (resource: string, kind: 'one' | 'change', id: unknown) =>
    elsewhere[resource]?.[kind]?.(String(id)) ?? `/admin/${resource}/${id}`
  const ifMatch = (version: unknown) => ({ 'If-Match': `"${version}"` })

  const provider: DataProvider = {
    getList: list,
    getOne: async (resource, { id }) => send('GET', pathOf(resource, 'one', id)),
    getMany: async (resource, { ids }) => list(resource, { filter: { ids, ...reach[resource] } }),
    getManyReference: async (resource, { target, id, filter, ...rest }) =>
      list(resource, { ...rest, filter: { ...filter, [target]: id } }),
    create: async (resource, { data }) => send('POST', `/admin/${resource}`, data),
    update: async (resource, { id, data, previousData }) =>
      send(
        'PATCH',
        pathOf(resource, 'change', id),
        changed(data, previousData),
        ifMatch(previousData.version),
      ),
    delete: async (resource, { id, previousData }) =>
      send('DELETE', `/admin/${resource}/${id}`, undefined, ifMatch(previousData?.version)),
    updateMany: notOffered,
    deleteMany: notOffered,
  }
  return { provider, calls }
}

/** `bulk/moderate` decides on many records, which react-admin does not support. */
const notOffered = async () => {
  throw new Error('Records are changed one at a time.')
}

/** A referenced record is found even after its deletion. */
const reach: Record<string, object> = { publications: { deleted: 'true' }, acteurs: { deleted: 'true' } }

/** A form returns the whole record: only changed fields are sent. */
const changed = (data: object, previous: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, previous[name])),
  )
