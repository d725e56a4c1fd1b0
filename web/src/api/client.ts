import createClient from 'openapi-fetch'
import type { paths } from './api.generated.ts'
import { untilConfirmed } from './confirmation.ts'
import { noteOutcome } from './connection.ts'
import { ApiFailure, failureOf } from './failure.ts'
import { session, untilSignedInAgain } from './session.ts'

const options = {
  baseUrl: location.origin,
  headers: { 'X-App-Source': 'backoffice' },
  querySerializer: { array: { style: 'form', explode: false } },
} as const

/** The API, with the types of its document. The cookie of the session goes along by itself. */
export const api = createClient<paths>({ ...options, fetch: send })

/** The same for signing in itself: a 401 is a response like others here. */
export const signInApi = createClient<paths>({ ...options, fetch: sendConfirmed })

/** A request that finds its session expired waits for a new one, and is sent again: nothing typed is lost. */
async function send(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await sendConfirmed(request)
  const isOver = response.status === 401 && ['in', 'expired'].includes(session.get())
  if (!isOver) return response
  return (await untilSignedInAgain()) ? send(again) : response
}

/** A deed that needs a fresh confirmation waits for it, and is sent again. Given up, it is refused as it was. */
async function sendConfirmed(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await sendOnce(request)
  if (response.status !== 403 || !(await needsConfirmation(response.clone()))) return response
  return (await untilConfirmed()) ? sendConfirmed(again) : response
}

const needsConfirmation = (response: Response): Promise<boolean> =>
  response.json().then(
    ({ error }) => error === 'confirmation_required',
    () => false,
  )

async function sendOnce(request: Request): Promise<Response> {
  request.headers.set('Accept-Language', document.documentElement.lang)
  try {
    const response = await fetch(request)
    noteOutcome(response.status === 503 ? 'busy' : 'response')
    return response
  } catch (error) {
    // Given up by the application itself.
    if (request.signal.aborted) throw error
    noteOutcome('none')
    throw new ApiFailure({ status: 0, code: 'unreachable', message: '' })
  }
}

type Answered<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>

/** The body of a success; everything else is thrown as an `ApiFailure`. */
export async function got<Data>(answer: Answered<Data>): Promise<Data> {
  const { data, error, response } = await answer
  if (data === undefined) throw failureOf(response, error)
  return data
}
