import { isDeepStrictEqual } from 'node:util'

/** A request that was refused, as such a client throws it: with the status and the body of the response. */
export class HttpError extends Error {
  status: number
  body: unknown

  constructor(message: string, status: number, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

// biome-ignore lint/suspicious/noExplicitAny: such a client knows no types of its records
type Row = any
type Page = {
  pagination?: { page: number; perPage: number }
  sort?: { field: string; order: 'ASC' | 'DESC' }
}
type ListParams = Page & { filter?: object }
type Changed = { data: object; previousData: Row }
type List = { data: Row[]; total: number }
type One = { data: Row }

/** What react-admin asks of a client. */
type DataProvider = {
  getList(resource: string, params: ListParams): Promise<List>
  getOne(resource: string, params: { id: string }): Promise<One>
  getMany(resource: string, params: { ids: string[] }): Promise<List>
  getManyReference(resource: string, params: ListParams & { target: string; id: string }): Promise<List>
  create(resource: string, params: { data: object }): Promise<One>
  update(resource: string, params: Changed & { id: string }): Promise<One>
  delete(resource: string, params: { id: string; previousData: Row }): Promise<One>
}

/** Paths to read or change single records, when they differ from the list's. */
const elsewhere: Record<string, { one?: (id: string) => string; change?: (id: string) => string }> = {
  // Members and administrators edit content; the back-office decides on it.
  publications: { change: (id) => `/publications/${id}` },
  communes: { one: (id) => `/admin/communes/${id}/full` },
}

type Call = { method: string; path: string }

/**
 * A client for this API as react-admin wants one, a data provider: one path per resource, `version` sent back as `If-Match`, lists that
 * filter, sort and count. Records each request.
 */
export function parvisDataProvider(url: string, token: string) {
  const calls: Call[] = []
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    calls.push({ method, path })
    const hasBody = body !== undefined
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...{ 'x-app-source': 'backoffice', authorization: `Bearer ${token}` },
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(hasBody && { body: JSON.stringify(body) }),
    })
    const json = JSON.parse((await response.text()) || '{}')
    if (!response.ok) throw new HttpError(json.message, response.status, json)
    return json
  }
  async function list(resource: string, { pagination, sort, filter }: ListParams) {
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
  }
  return { provider, calls }
}

/** A referenced record is found even after its deletion. */
const reach: Record<string, object> = { publications: { deleted: 'true' }, acteurs: { deleted: 'true' } }

/** A form returns the whole record: only changed fields are sent. */
const changed = (data: object, previous: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, previous[name])),
  )
