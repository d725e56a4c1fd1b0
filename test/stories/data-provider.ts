import { isDeepStrictEqual } from 'node:util'
import { type DataProvider, fetchUtils, type GetListParams } from 'ra-core'

/** Where a resource is read one by one and changed, when that is not where it is listed. */
const elsewhere: Record<string, { one?: (id: string) => string; change?: (id: string) => string }> = {
  // Content is its members' to change, and an administrator's; the back-office decides on it.
  publications: { change: (id) => `/publications/${id}` },
  communes: { one: (id) => `/admin/communes/${id}/full` },
}

type Call = { method: string; path: string }

/**
 * What a react-admin back-office needs to stand on this API: one address per resource, records whose `version` goes back
 * as `If-Match`, lists that filter, sort and count. Notes each call.
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

/** Many records are decided on by `bulk/moderate`, which react-admin knows nothing of. */
const notOffered = async () => {
  throw new Error('Records are changed one at a time.')
}

/** A record that others refer to is found even when it is deleted. */
const reach: Record<string, object> = { publications: { deleted: 'true' }, acteurs: { deleted: 'true' } }

/** A form hands back the whole record: only what it changed is sent. */
const changed = (data: object, previous: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, previous[name])),
  )
