import { request } from 'node:http'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { readConfig } from '../platform/config/config.ts'
import { createLog } from '../platform/log/log.ts'
import { nonceMark, type Site } from './site.ts'

const script = 'console.log("Parvis")'
const site: Site = {
  page: `<meta property="csp-nonce" nonce="${nonceMark}"><script src="/backoffice/assets/a.js" nonce="${nonceMark}"></script>`,
  assets: new Map([
    [
      'assets/a.js',
      {
        type: 'text/javascript; charset=utf-8',
        digest: 'digest',
        body: Buffer.from(script),
        compressed: {
          br: brotliCompressSync(script),
          gzip: gzipSync(script),
        },
      },
    ],
  ]),
}
const webApp: { site: Site | null; state: 'building' | 'failed' | 'ready' } = { site, state: 'ready' }
const lines: { route?: string; reason?: string }[] = []
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
const { url } = await openWorld({ webApp, log, env: { SITE: 'off' } })

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

test('/ redirects browsers to the application and other clients to the documentation', async () => {
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect([browser.status, browser.headers.get('location')]).toEqual([302, 'backoffice/'])
  expect(browser.headers.get('vary')).toContain('Accept')
  const curl = await get('/', { accept: '*/*' })
  expect([curl.status, curl.headers.get('location')]).toEqual([302, 'docs/'])
  const bare = await get('/backoffice')
  expect([bare.status, bare.headers.get('location')]).toEqual([308, '/backoffice/'])
})

test.each(['/backoffice/', '/backoffice/queue?selected=1', '/backoffice/a/b', '/backoffice/undo-address'])(
  '%s returns the page with a policy that allows inline code only with its nonce',
  async (path) => {
    const [one, other] = await Promise.all([get(path), get(path)])
    const nonces = await Promise.all(
      [one, other].map(async (response) => {
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(response.headers.get('cache-control')).toBe('no-store')
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'; script-src 'self'; ")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toContain('unsafe')
        const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? []
        const page = await response.text()
        expect(page).not.toContain(nonceMark)
        expect(page.split(`nonce="${nonce}"`)).toHaveLength(3)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  },
)

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
])('an asset is compressed as "%s" allows, and cacheable for ever', async (accepted, encoding, unpack) => {
  const path = new URL('/backoffice/assets/a.js', url)
  const sent = Promise.withResolvers<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>()
  request(path, { headers: { 'accept-encoding': accepted } }, async (response) => {
    sent.resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
  }).end()
  const { headers, body } = await sent.promise
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': encoding,
    'cache-control': 'public, max-age=31536000, immutable',
    etag: `"digest-${encoding}"`,
    vary: 'Accept-Encoding',
  })
  expect(unpack(body).toString()).toBe(script)
})

test('an asset returns 304 for its ETag, and 404 if it does not exist', async () => {
  const headers = { 'accept-encoding': 'identity' }
  const plain = await get('/backoffice/assets/a.js', headers)
  expect(await plain.text()).toBe(script)
  expect(plain.headers.get('content-encoding')).toBe(null)
  const again = await get('/backoffice/assets/a.js', { ...headers, 'if-none-match': '"digest"' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await get('/backoffice/assets/b.js')).status).toBe(404)
  expect((await get('/backoffice/assets/..%2findex.html')).status).toBe(404)
})

test("until the build is done, each address shows a page in the browser's language that reloads itself", async () => {
  try {
    Object.assign(webApp, { site: null, state: 'building' })
    const french = await get('/backoffice/queue', { 'accept-language': 'fr-FR' })
    expect([french.status, french.headers.get('retry-after')]).toEqual([503, '2'])
    expect(french.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await french.text()).toContain('Le back-office se prépare')
    const english = await get('/backoffice/', { 'accept-language': 'en' })
    expect(await english.text()).toContain('The back-office is being prepared')
    expect((await get('/backoffice/assets/a.js')).status).toBe(404)
    const reload = await get('/backoffice/reload.js')
    expect(reload.headers.get('content-type')).toContain('text/javascript')
    Object.assign(webApp, { state: 'failed' })
    expect(await (await get('/backoffice/')).text()).toContain('could not be prepared')
    const reasons = () => lines.flatMap(({ reason }) => reason ?? [])
    await expect
      .poll(() => new Set(reasons()))
      .toEqual(new Set(['the application is being built', 'the application could not be built']))
  } finally {
    Object.assign(webApp, { site, state: 'ready' })
  }
})

test('without the application, /backoffice/ returns 404 and / redirects to the documentation', async () => {
  const { url: bare } = await openWorld({ env: { SITE: 'off' } })
  expect((await fetch(`${bare}/backoffice/`)).status).toBe(404)
  const home = await fetch(`${bare}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect(home.headers.get('location')).toBe('docs/')
})

test('the page has the address of the public site, or none', async () => {
  const page = `<meta name="parvis-public-site" content="__PARVIS_PUBLIC_SITE__" />`
  const shown = async (env: Record<string, string>) => {
    const { url } = await openWorld({ webApp: { ...webApp, site: { ...site, page } }, env })
    return (await fetch(`${url}/backoffice/`)).text()
  }
  expect(await shown({ SITE: 'off', PUBLIC_SITE_URL: 'https://www.example.org/ma-ville/' })).toBe(
    '<meta name="parvis-public-site" content="https://www.example.org/ma-ville" />',
  )
  expect(await shown({ SITE: 'off' })).toBe('<meta name="parvis-public-site" content="" />')
})

test('browsers may load map data from the hosts of the settings, and the page has the addresses', async () => {
  const styleUrl = 'https://tiles.example.org/style.json?key="a"&b=<1>'
  const page = `<meta name="parvis-map" content="__PARVIS_MAP__" />`
  const { url } = await openWorld({
    webApp: { ...webApp, site: { ...site, page } },
    env: { MAP_STYLE_URL: styleUrl, MAP_HOSTS: 'https://fonts.example.org' },
  })
  const response = await fetch(`${url}/backoffice/`)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain(
    "connect-src 'self' https://tiles.example.org https://fonts.example.org; worker-src 'self';",
  )
  const [, content = ''] = /content="([^"]*)"/.exec(await response.text()) ?? []
  expect(content).not.toMatch(/[<"]/)
  const text = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  expect(JSON.parse(text)).toEqual({ styleUrl, pmtilesUrl: null })
  // The worker of the map is a script, and its own policy counts.
  const script = await fetch(`${url}/backoffice/assets/a.js`)
  expect(script.headers.get('content-security-policy')).toBe(
    "default-src 'none'; connect-src 'self' https://tiles.example.org https://fonts.example.org; frame-ancestors 'none'",
  )
})

test('the map is the plan of the IGN unless a setting says otherwise', () => {
  const mapOf = (env: Record<string, string>) => readConfig([], env).map
  expect(mapOf({})).toMatchObject({
    styleUrl: expect.stringMatching(/^https:..data\.geopf\.fr\/.*PLAN\.IGN/),
    hosts: ['https://data.geopf.fr'],
  })
  expect(mapOf({ MAP_STYLE_URL: 'none' })).toEqual({ styleUrl: null, pmtilesUrl: null, hosts: [] })
  const pmtilesUrl = 'https://tiles.example.org/france.pmtiles'
  const hosts = ['https://tiles.example.org']
  expect(mapOf({ MAP_PMTILES: pmtilesUrl })).toEqual({ styleUrl: null, pmtilesUrl, hosts })
})

test.each([
  { MAP_STYLE_URL: 'http://tiles.example.org/style.json' },
  { MAP_PMTILES: 'france.pmtiles' },
  { MAP_HOSTS: 'https://fonts.example.org/path' },
  { MAP_STYLE_URL: 'https://a.example.org/s.json', MAP_PMTILES: 'https://a.example.org/f.pmtiles' },
])('refuses to start with %j', (env) => {
  expect(() => readConfig([], env)).toThrow(/MAP_/)
})
