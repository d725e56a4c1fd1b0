import type { Answer, Call, createClient } from './client.ts'

type Client = ReturnType<typeof createClient>

/** A client that keeps cookies and marks each request as same-origin, as browsers do. */
export type Browser = Client & {
  cookies: Map<string, string>
  /** The cookie header that the next request will carry. */
  cookieHeader(): string
  /** Creates another browser with the same cookies, as after a cookie theft. */
  copy(): Browser
}

export function createBrowser(
  client: (call: Call) => Client,
  { source = 'backoffice', userAgent }: { source?: string; userAgent?: string } = {},
  cookies = new Map<string, string>(),
): Browser {
  const cookieHeader = () => Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
  const inner = client({ source })
  async function send(method: string, path: string, body?: unknown, call: Call = {}): Promise<Answer> {
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0 && { cookie: cookieHeader() }),
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...call.headers,
    }
    const answer = await inner.send(method, path, body, { ...call, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
      if (/max-age=0(;|$)/i.test(rest)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    send,
    get: (path, call) => send('GET', path, undefined, call),
    post: (path, body, call) => send('POST', path, body, call),
    put: (path, body, call) => send('PUT', path, body, call),
    patch: (path, body, call) => send('PATCH', path, body, call),
    delete: (path, call) => send('DELETE', path, undefined, call),
    cookies,
    cookieHeader,
    copy: () =>
      createBrowser(client, { source, ...(userAgent !== undefined && { userAgent }) }, new Map(cookies)),
  }
}
