import createClient from 'openapi-fetch'
import type { paths } from './api.generated.ts'
import { untilConfirmed } from './confirmation.ts'
import { noteOutcome } from './connection.ts'
import { ApiFailure, failureOf } from './failure.ts'
import { headers, takeFirst } from './first-request.ts'
import { session, shownUser, untilSignedInAgain } from './session.ts'
import { createStore } from './store.ts'

/** Number of changes refused with 409 or 412, because a record is no longer as it was shown. */
export const conflicts = createStore(0)

/** Number of requests refused because no role of the user opens the area. */
export const roleRefusals = createStore(0)

type Fetch = (request: Request) => Promise<Response>

const options = {
  baseUrl: location.origin,
  headers,
  querySerializer: { array: { style: 'form', explode: false } },
} as const

/** Typed client of the API, generated from its OpenAPI document. The browser sends the session cookie. */
export const api = createClient<paths>({ ...options, fetch: (request) => send(request) })

/** API client for sign-in: it returns a 401 as a normal response and does not ask to sign in again. */
export const signInApi = createClient<paths>({ ...options, fetch: (request) => sendConfirmed(request) })

/** The same as `api` for one request that another function than `fetch` carries out. */
export const sentBy =
  (fetcher: Fetch): Fetch =>
  (request) =>
    send(request, fetcher)

/** Changes under way. The response to one may bring the session a new value, which ends the former one. */
const changes = new Set<Promise<Response>>()

/**
 * Sends a request. After a 401 it retries once: the session may have got a new value meanwhile. If it has expired,
 * waits for a new session and retries, so that no input is lost.
 */
async function send(request: Request, fetcher: Fetch = fetch, isRetry = false): Promise<Response> {
  const user = shownUser.get()
  if (user !== null) request.headers.set('X-Session-User', user)
  const again = copyOf(request)
  const sent = sendConfirmed(request, fetcher)
  if (request.method !== 'GET') changes.add(sent)
  const response = await sent.finally(() => changes.delete(sent))
  const code = await refusalOf(response)
  if (code === 'admin_required') roleRefusals.set(roleRefusals.get() + 1)
  if (code === 'enrolment_required' && session.get() === 'in') {
    // A new role needs a second factor. The reload leads to its setup, and drafts survive it.
    location.reload()
    return new Promise(() => {})
  }
  const isOver = response.status === 401 && ['in', 'expired'].includes(session.get())
  if (!isOver) return response
  if (!isRetry && session.get() === 'in') {
    await Promise.allSettled(changes)
    return send(again, fetcher, true)
  }
  return (await untilSignedInAgain()) ? send(again, fetcher) : response
}

/** Sends a request. If it needs a confirmation, asks and retries; if the user cancels, returns the 403. */
async function sendConfirmed(request: Request, fetcher: Fetch = fetch): Promise<Response> {
  const again = copyOf(request)
  const response = await sendOnce(request, fetcher)
  if ((await refusalOf(response)) !== 'confirmation_required') return response
  return (await untilConfirmed()) ? sendConfirmed(again, fetcher) : response
}

/** Returns what a retry sends: a request without a body can be sent again as it is. */
const copyOf = (request: Request): Request => (request.body === null ? request : request.clone())

/** Returns the error code of a 403; undefined for any other response. */
async function refusalOf(response: Response): Promise<string | undefined> {
  if (response.status !== 403) return undefined
  const body = await response
    .clone()
    .json()
    .catch(() => ({}))
  return body.error
}

/** Sent without the user asking for anything: a refusal says nothing about their work. */
const isBackground = ({ url }: Request) => url.endsWith('/admin/presence')

async function sendOnce(request: Request, fetcher: Fetch): Promise<Response> {
  request.headers.set('Accept-Language', document.documentElement.lang)
  try {
    const response = await (takeFirst(request) ?? fetcher(request))
    if (!isBackground(request)) noteOutcome(response.status === 503 ? 'busy' : 'response')
    if (response.status === 409 || response.status === 412) conflicts.set(conflicts.get() + 1)
    return response
  } catch (error) {
    // The application aborted the request: this says nothing about the connection.
    if (request.signal.aborted) throw error
    noteOutcome('none')
    throw new ApiFailure({ status: 0, code: 'unreachable', message: '' })
  }
}

type Answered<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>

/** Returns the body of a successful response; throws an `ApiFailure` otherwise. */
export async function got<Data>(answer: Answered<Data>): Promise<Data> {
  const { data, error, response } = await answer
  if (data === undefined) throw failureOf(response, error)
  return data
}
