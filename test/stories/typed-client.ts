import createClient from 'openapi-fetch'
import type { paths } from '../../web/src/api/api.generated.ts'
import type { World } from '../support/world.ts'

/** A client as any application would generate it: the compiler checks paths, parameters, bodies and responses. */
export function typedClient({ url, check }: Pick<World, 'url' | 'check'>, source: string, token?: string) {
  return createClient<paths>({
    baseUrl: url,
    headers: { 'X-App-Source': source, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: async (request) => {
      const response = await fetch(request)
      const { status, headers } = response
      const text = await response.clone().text()
      const { pathname, search } = new URL(request.url)
      check(request.method, `${pathname}${search}`, { status, headers, body: text && JSON.parse(text) })
      return response
    },
  })
}

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** Returns the data of a successful response; otherwise throws. */
export async function got<T>(answer: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (data === undefined)
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`)
  return data
}

/** Returns status and code of a refusal. */
export async function refused(answer: Promise<Answered<unknown> & { error?: { error: string } }>) {
  const { error, response } = await answer
  return `${response.status} ${error?.error}`
}
