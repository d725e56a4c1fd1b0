import type { World } from '../../../../test/support/world.ts'
import { callbackPath } from './provider.ts'

export const publicUrl = 'http://localhost:3000'
export const callbackUrl = `${publicUrl}${callbackPath}`

type Cookie = { value: string; sameSite: string }
export type Shown = { status: number; headers: Headers; text: string; url: string }

/**
 * Simulates the cookies of a browser: each origin has its own, and a strict cookie is not sent when another
 * site leads to the page.
 */
export function createVisitor(world: World, cookies = new Map<string, Map<string, Cookie>>()) {
  const jarOf = (origin: string) => {
    const jar = cookies.get(origin) ?? new Map<string, Cookie>()
    cookies.set(origin, jar)
    return jar
  }
  let page = publicUrl

  /** Sends one request from the current page, without following redirects. */
  async function request(url: string, { form, from = page }: { form?: object; from?: string | null } = {}) {
    const { origin, pathname, search } = new URL(url)
    const isOwn = origin === publicUrl
    const sent = [...jarOf(origin)].filter(
      ([, { sameSite }]) => sameSite !== 'strict' || from === null || new URL(from).origin === origin,
    )
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
    const response = await fetch(isOwn ? `${world.url}${pathname}${search}` : url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html,*/*;q=0.8',
        'accept-language': 'fr',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        ...(cookie !== '' && { cookie }),
      },
      ...(form !== undefined && { body: new URLSearchParams({ ...form }) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
      const sameSite = /samesite=(\w+)/i.exec(rest)?.[1]?.toLowerCase() ?? 'lax'
      if (/max-age=0(;|$)|expires=Thu, 01 Jan 1970/i.test(rest)) jarOf(origin).delete(name)
      else jarOf(origin).set(name, { value, sameSite })
    }
    const shown = { status: response.status, headers: response.headers, text: await response.text(), url }
    if (isOwn) world.check('GET', `${pathname}${search}`, { ...shown, body: undefined })
    return shown
  }

  /** Follows redirects, as long as they lead to one of these origins. */
  async function open(
    url: string,
    { form, from }: { form?: object; from?: string | null } = {},
  ): Promise<Shown> {
    let shown = await request(url, { ...(form && { form }), ...(from !== undefined && { from }) })
    const began = from === undefined ? page : from
    for (let hops = 0; hops < 12 && shown.headers.has('location'); hops++) {
      const next = new URL(shown.headers.get('location') ?? '', shown.url).href
      if (next.startsWith(callbackUrl)) return { ...shown, url: next }
      // A chain of redirects counts as cross-site as soon as one redirect comes from another origin.
      const isForeign = began !== null && new URL(began).origin !== new URL(next).origin
      shown = await request(next, { from: isForeign || began === null ? began : shown.url })
    }
    page = shown.url
    return shown
  }

  return {
    cookies: jarOf(publicUrl),
    request,
    open,
    /** Starts a sign-in; returns the provider's address. */
    async start(returnTo?: string): Promise<URL> {
      const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
      page = publicUrl
      const shown = await request(`${publicUrl}/api/v1/auth/oidc/start${query}`)
      return new URL(shown.headers.get('location') ?? 'about:refused')
    },
    /** Opens this address, coming from the provider. */
    comeBack: (url: string | URL) => request(String(url), { from: 'http://provider.test/' }),
    /** Headers of a request from a page of the application. */
    headers: () => ({
      cookie: [...jarOf(publicUrl)].map(([name, { value }]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
    }),
  }
}

/** Returns the address that the page redirects to. */
export const goesOnTo = ({ text }: { text: string }): string | undefined =>
  /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

export const settingsFor = (issuer: string, more: Record<string, string> = {}) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'parvis',
  OIDC_CLIENT_SECRET: 'a secret of the provider, for tests',
  OIDC_LABEL: 'ProConnect',
  ...more,
})
