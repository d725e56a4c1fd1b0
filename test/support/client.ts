import type { ResponseCheck } from './responses/response-check.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; the OpenAPI check holds their shape.
export type Answer = { status: number; headers: Headers; text: string; body: any }
export type Call = { source?: string | null; token?: string; headers?: Record<string, string> }

/** An HTTP client that checks every response against the OpenAPI document. */
export function createClient(url: string, check: ResponseCheck, defaults: Call = {}) {
  async function send(method: string, path: string, body?: unknown, call: Call = {}): Promise<Answer> {
    // Sent as it is; it says itself what it is.
    const isForm = body instanceof FormData
    const { source = 'public', token, headers } = { ...defaults, ...call }
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(source !== null && { 'x-app-source': source }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' || isForm ? body : JSON.stringify(body) }),
    })
    // Such a response does not end by itself.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: text && parse(text) }
    check(method, `/api/v1${path}`, answer)
    return answer
  }
  return {
    send,
    get: (path: string, call?: Call) => send('GET', path, undefined, call),
    post: (path: string, body?: unknown, call?: Call) => send('POST', path, body, call),
    put: (path: string, body?: unknown, call?: Call) => send('PUT', path, body, call),
    patch: (path: string, body?: unknown, call?: Call) => send('PATCH', path, body, call),
    delete: (path: string, call?: Call) => send('DELETE', path, undefined, call),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
