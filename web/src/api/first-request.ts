/**
 * The request that says who is signed in, which everything waits for. This file has a script tag of its own: the
 * request is under way while the browser still loads and evaluates the application.
 */
export const headers = { 'X-App-Source': 'backoffice' }

const isSigningIn = location.pathname === '/backoffice/sign-in'
let response = isSigningIn ? null : send()
// Whoever takes the response also gets the failure.
response?.catch(() => {})

/** Reads the whole body: a screen that needs no session would leave it, and the connection, open. */
async function send(): Promise<Response> {
  const answer = await fetch('/api/v1/me', { headers })
  return new Response(await answer.blob(), answer)
}

/** Returns the response to the first request of this address; null to the second, and for other addresses. */
export function takeFirst({ method, url }: Request): Promise<Response> | null {
  if (response === null || method !== 'GET' || new URL(url).pathname !== '/api/v1/me') return null
  const taken = response
  response = null
  return taken
}
