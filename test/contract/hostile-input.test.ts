import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { exchange, type RawResponse, rawRequest } from '../support/raw-http.ts'
import { openWorld } from '../support/world.ts'

const long = process.env.PARVIS_TEST_LONG !== undefined
/** The allowed processor time for hostile input relative to a plain request of the same size. */
const budget = long ? { tries: 9, ratio: 12 } : { tries: 3, ratio: 25 }

const { url, user, acteur, commune, get } = await openWorld()
const club = await acteur({ valide: true, can_publish: true, commune_id: (await commune()).id })
const { token } = await user({ memberships: [{ acteur: club, role: 'owner' }] })

const json = { 'Content-Type': 'application/json', 'X-App-Source': 'public' }
const post = (body: string | Buffer, headers = {}, path = '/publications') =>
  rawRequest('POST', `/api/v1${path}`, { ...json, Authorization: `Bearer ${token}`, ...headers }, body)
const read = (path: string, headers = {}) => rawRequest('GET', path, { 'X-App-Source': 'public', ...headers })

const publication = (fields: object) =>
  JSON.stringify({ acteur_id: club.id, title: 'Fête', body: 'Sur la place.', ...fields })
const withBody = (body: string) => publication({ body: body.slice(0, 20_000) })
const times = (text: string, count: number) => text.repeat(count)

/** Accepted or refused, never broken; every refusal in the usual format. */
function expectWhole(answer: RawResponse, statuses: number[]): void {
  expect(statuses, answer.text.slice(0, 500)).toContain(answer.status)
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  if (answer.status < 400) return
  expect(JSON.parse(answer.text)).toEqual({
    error: expect.stringMatching(/^[a-z_]+$/),
    message: expect.any(String),
    ...(answer.status === 422 && { details: expect.any(Array) }),
  })
}

async function cpuOf(request: Buffer): Promise<number> {
  const spent: number[] = []
  for (let index = 0; index < budget.tries; index++) {
    const before = process.threadCpuUsage()
    await exchange(url, [request])
    const { user, system } = process.threadCpuUsage(before)
    spent.push((user + system) / 1_000)
  }
  return spent.sort((a, b) => a - b)[Math.floor(spent.length / 2)] ?? 0
}

async function expectCheap(what: string, hostile: Buffer, plain: Buffer) {
  const [cost, usual] = [await cpuOf(hostile), await cpuOf(plain)]
  // A millisecond is too short to measure.
  expect(cost / Math.max(1, usual), what).toBeLessThan(budget.ratio)
}

/** A plain request of about the same size. */
const plainOf = (size: number) => post(withBody(times('a', Math.max(1, size - 200))))
/** Larger than any field allows. */
const plainLarge = (size: number) => post(JSON.stringify({ title: times('a', size) }))

const near = 1_048_576 - 4_000
const bodies: [what: string, body: string | Buffer, statuses: number[]][] = [
  ['a prototype among the keys', `{"__proto__":{"role":"admin"},${publication({}).slice(1)}`, [422]],
  ['a constructor among the keys', publication({ constructor: { prototype: { role: 'admin' } } }), [422]],
  ['a NUL', publication({ title: 'a\0b' }), [422]],
  ['half a character', publication({}).replace('Fête', '\\ud800'), [422]],
  ['bytes that are no UTF-8', Buffer.from(publication({}), 'latin1'), [400]],
  ['a byte order mark', `\ufeff${publication({})}`, [400]],
  ['a string of 1 MB', publication({ title: times('a', near) }), [422]],
  ['escapes of 1 MB', publication({}).replace('Fête', times('\\u0041', near / 6)), [422]],
  ['more than 1 MB', publication({ title: times('a', near + 8_000) }), [413]],
  ['lists 10 000 deep', times('[', 10_000) + times(']', 10_000), [422]],
  ['objects 10 000 deep', times('{"a":', 10_000) + 1 + times('}', 10_000), [422]],
  ['lists that never end', times('[', near), [422]],
  ['a key twice: the last counts', publication({}).replace('{', '{"title":12,'), [201]],
  ['one key 50 000 times', `{${times('"title":"a",', 50_000)}"title":"a"}`, [422]],
  [
    '10 000 keys',
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]))),
    [422],
  ],
  ['keys of one hash', `{${Array.from({ length: 900 }, (_, n) => `"${n * 2 ** 20}":0`)}}`, [422]],
  ['a number beyond numbers', publication({}).replace('"Fête"', '1e999'), [422]],
  ['a number of 100 000 digits', publication({}).replace('"Fête"', times('9', 100_000)), [422]],
  ['numbers of text', `[${times('1e308,', 4_000)}0]`, [422]],
  ['characters that look alike', publication({ title: '₂₀ K İ ﬃ ß ſ ﷺ' }), [201]],
  [
    'marks upon marks',
    publication({ title: `a${times('\u0301', 199)}`, body: times('Z\u0335\u0321', 6_000) }),
    [201],
  ],
  [
    'text that runs to the left',
    publication({ title: '\u202eetêF', body: times('\u202e\u2066', 9_000) }),
    [201, 422],
  ],
  [
    'joined emojis',
    publication({ title: times('👨‍👩‍👧‍👦', 15), body: times('👨‍👩‍👧‍👦', 1_500) }),
    [201, 422],
  ],
  ['what JSON does not know', '{"title": NaN}', [400]],
  ['a comment', '/* */{"title":"a"}', [400]],
  ['a tag that opens without end', withBody(times('<b>', 6_666)), [422]],
  ['tags in tags', withBody(times('<div><p><b>', 1_800)), [422]],
  ['tags that only close', withBody(times('</p>', 5_000)), [201, 422]],
  ['angles alone', withBody(times('<', 20_000)), [201, 422]],
  ['a tag of many attributes', withBody(`<a ${times('b=c ', 4_990)}>x</a>`), [201, 422]],
  ['an attribute without end', withBody(`<a href="${times('a', 19_900)}`), [201, 422]],
  ['quotes in quotes', withBody(`<a href=${times('"\'', 9_900)}>`), [201, 422]],
  ['comments in comments', withBody(times('<!--', 5_000)), [201, 422]],
  ['declarations', withBody(times('<![CDATA[', 2_222)), [201, 422]],
  ['entities', withBody(times('&amp;#x26;', 2_000)), [201]],
  ['entities of entities', withBody(times('&lt;b&gt;', 2_222)), [201]],
  ['entities cut off', withBody(times('&#', 10_000)), [201, 422]],
  ['scripts', withBody(times('<script>', 2_500)), [201, 422]],
  ['drawings', withBody(times('<svg><math>', 1_800)), [201, 422]],
  ['blanks before an end', withBody(`a${times(' ', 19_990)}b`), [201]],
  ['line ends', withBody(`${times('\n\r', 9_990)}b`), [201]],
  [
    'an address that is almost one',
    publication({ source_url: `http://${times('a.', 200)}`.slice(0, 490) }),
    [201, 422],
  ],
  [
    'an address of many parameters',
    publication({ source_url: `http://a.example/?${times('a=b&', 118)}` }),
    [201, 422],
  ],
  [
    'an address of percents',
    publication({ source_url: `http://a.example/${times('%25', 150)}` }),
    [201, 422],
  ],
  ['a date that is almost one', publication({ date_debut: `2026-01-01${times('0', 50_000)}` }), [422]],
  ['an id that is almost one', publication({ commune_id: times('0199c9a3-', 10_000) }), [422]],
  ['10 000 communes', publication({ commune_ids: Array.from({ length: 4_990 }, () => club.id) }), [422]],
]

test.each(bodies)('a body with %s is accepted or refused at limited cost', async (what, body, statuses) => {
  const request = post(body)
  expectWhole(await exchange(url, [request]), statuses)
  const size = Buffer.byteLength(body)
  await expectCheap(what, request, size > 19_000 ? plainLarge(size) : plainOf(size))
})

test.each([
  ['text/plain', 415],
  ['application/json, text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=a', 415],
  ['application/jsonp', 415],
  ['application/json\u000b', 400],
  [' ', 415],
  [times('a/b;', 3_000), 415],
  [`application/json; ${times('a=b; ', 2_000)}`, 201],
  ['application/json; charset=utf-7', 201],
  ['APPLICATION/JSON', 201],
])('a body of the type %j returns %i', async (type, status) => {
  expectWhole(await exchange(url, [post(publication({}), { 'Content-Type': type })]), [status])
})

const header = (name: string, value: string): [string, Record<string, string>] => [name, { [name]: value }]
const most = 15_000
test.each([
  header('Accept-Language', times('fr;q=0.1,', most / 9)),
  header('Accept-Language', times(',', most)),
  header('Accept-Language', `fr${times(' ', most)}x`),
  header('If-None-Match', times('"a",', most / 4)),
  header('If-None-Match', times('W/', most / 2)),
  header('X-App-Source', times('a', most)),
  header('X-App-Source', '__proto__'),
  header('Authorization', `Bearer ${times('a.', most / 2)}`),
  header('Authorization', `Bearer${times(' ', most)}x`),
  header('X-Forwarded-For', times('10.0.0.1, ', most / 10)),
  header('Cookie', times('a=b; ', most / 5)),
  header('Accept-Encoding', times('gzip;q=0.1,', most / 11)),
  header('Range', `bytes=${times('0-1,', most / 4)}`),
  header('Origin', times('a', most)),
  header('Connection', `close, ${times('upgrade,', most / 8)}`),
  header('Upgrade', 'h2c'),
])('a flood in %s is read at limited cost', async (name, headers) => {
  const request = read('/api/v1/communes', headers)
  expectWhole(await exchange(url, [request]), [200])
  await expectCheap(name, request, read('/api/v1/communes', { 'X-Other': times('a', most) }))
})

test.each([
  ['If-Match', times('"1",', 3_000), [404, 422]],
  ['If-Match', `"${times('1', most)}"`, [404, 422]],
  ['Idempotency-Key', times('a', most), [404, 422]],
  ['Authorization', `Bearer ${times('eyJhbGciOiJub25lIn0.', 700)}`, [401]],
])('refuses a flood in %s of a change', async (name, value, statuses) => {
  const path = `/api/v1/publications/${club.id}`
  const headers = { ...json, Authorization: `Bearer ${token}`, [name]: value }
  expectWhole(await exchange(url, [rawRequest('PATCH', path, headers, '{"title":"a"}')]), statuses)
})

test.each([
  ['more than 16 KB', { X: times('a', 17_000) }],
  ['3 000 names', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`X-${n}`, '1']))],
])('headers of %s return 400', async (_what, headers) => {
  expectWhole(await exchange(url, [read('/api/v1/communes', headers)]), [400])
})

const id = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
test.each([
  ['//', 404],
  ['//api/v1/communes', 404],
  ['/api/v1//communes', 404],
  ['/api/v1/communes/', 404],
  ['/api/v1/communes/.', 404],
  ['/api/v1/communes/..', 404],
  ['/api/v1/../v1/communes', 404],
  ['/api/v1/%2e%2e/communes', 404],
  ['/docs/..%2f..%2fpackage.json', 404],
  ['/docs/static/..%2f..%2f..%2fpackage.json', 404],
  ['/docs/static/%2e%2e/%2e%2e/package.json', 400],
  ['/docs/static/....//package.json', 400],
  ['/docs/static/..%5c..%5cpackage.json', 400],
  ['/docs/static/%00', 400],
  ['/api/v1/communes/%00', 404],
  ['/api/v1/communes/a%2fb', 404],
  ['/api/v1/communes/a;b=c', 404],
  ['/api/v1/communes/__proto__', 404],
  ['/api/v1/communes/constructor', 404],
  ['/api/v1/communes/%ff', 404],
  ['/api/v1/communes/%', 404],
  ['/api/v1/communes/%u0041', 404],
  ['/api/v1/communes\\', 404],
  ['/API/V1/communes', 404],
  [`/api/v1/communes/${times('a', 10_000)}`, 404],
  [`/api/v1/communes/${times('%c3%a9', 1_500)}`, 404],
  [`/api/v1/publications/${id}%20`, 404],
  [`/api/v1/publications/${id}.json`, 404],
  [`/api/v1/publications/{$id}`, 404],
  [times('/a', 5_000), 404],
  ['http://169.254.169.254/latest/meta-data', 404],
])('the path %s reaches no route', async (path, status) => {
  expectWhole(await exchange(url, [read(path)]), [status])
})

test.each([
  'page=1&page=2',
  'page[]=1',
  'page=1e1',
  'page=0x1',
  'page=+1',
  'page=99999999999999999999',
  'page=9007199254740991',
  'per_page=-1',
  'q[]=a',
  'q=%00',
  'q=%ed%a0%80',
  'q=%ff',
  'q=%',
  '__proto__=1&constructor=2&__proto__[a]=1',
  times('a=b&', 3_000),
  times('&', 12_000),
  times('=', 12_000),
  `q=${times('%25', 4_000)}`,
  `type_id=${times(`${id},`, 300)}`,
  'date_debut_min=2026-02-30',
  'date_debut_min=0000-01-01',
  'date_debut_min=%2B275760-09-13',
])('accepts or refuses the query %s', async (query) => {
  expectWhole(await exchange(url, [read(`/api/v1/publications?${query}`)]), [200, 400, 422])
})

/** Searches cost database time, which only a clock measures; a plain search of the same size shows the load. */
test('a search for hostile words takes about as long as one for ordinary words', async () => {
  const searches = ['%', '_', '\\', ':*', '&|!', '<->', '₂', 'İ', 'ﬃ', 'é\u0301', '\u202e', '🎺']
  const timeOf = async (word: string) => {
    const path = (list: string) =>
      `/${list}?q=${encodeURIComponent(times(word, 200).slice(0, 200).toWellFormed())}`
    const spent: number[] = []
    for (let index = 0; index < 2; index++) {
      const began = performance.now()
      for (const list of ['publications', 'communes'])
        expect((await get(path(list))).status, word).toBeLessThan(500)
      spent.push(performance.now() - began)
    }
    return Math.min(...spent)
  }
  // A moment in which the machine is slow passes; a search that costs much does each time.
  for (const word of searches) {
    const ratio = async () => (await timeOf(word)) / Math.max(10, await timeOf('fete '))
    await expect.poll(ratio, { message: word }).toBeLessThan(budget.ratio)
  }
})

const chunked = (chunks: string) =>
  `POST /api/v1/publications HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nX-App-Source: public\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`
const chunk = (text: string, extension = '') =>
  `${Buffer.byteLength(text).toString(16)}${extension}\r\n${text}\r\n`

test.each([
  ['byte by byte', Array.from(publication({ title: 'Fete' }), (one) => chunk(one)).join(''), 201],
  ['with extensions', chunk(publication({}), `;${times('a', 10_000)}`), 201],
  ['with more extensions than headers may have', chunk(publication({}), `;${times('a', 20_000)}`), 400],
  ['that says a size too large', 'fffffffffffffffff\r\n', 400],
  ['that says no size', 'x\r\n', 400],
  ['beyond 1 MB', times(chunk(times('a', 60_000)), 20), 413],
])('a body in chunks %s is accepted or refused', async (_what, chunks, status) => {
  const answer = await exchange(url, [chunked(`${chunks}0\r\n\r\n`)])
  expectWhole(answer, [status])
})

test.each([
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5'],
  ['a length of text', 'Content-Length: four'],
  ['a length below nothing', 'Content-Length: -1'],
  ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked, identity'],
  ['a blank before the colon', 'Content-Length : 4'],
  ['a line that goes on', 'X-Other: a\r\n b: c\r\nContent-Length: 4\r\nContent-Length: 3'],
])('returns 400 for %s, which another server may read differently', async (_what, lines) => {
  const head = `POST /api/v1/claims HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-App-Source: public\r\n${lines}\r\n\r\n`
  expectWhole(
    await exchange(url, [`${head}0\r\n\r\nGET /api/v1/communes HTTP/1.1\r\nHost: a\r\n\r\n`]),
    [400],
  )
})

test('bodies that never end do not block other requests', async () => {
  const head = chunked('').replace('Connection: close', 'Connection: keep-alive')
  const slow = Array.from({ length: 50 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
  for (const socket of slow) socket.on('error', () => {}).write(`${head}1\r\n{\r\n`)
  expectWhole(await exchange(url, [post(publication({}))]), [201])
  for (const socket of slow) socket.destroy()
})

test('disconnects a client that sends something other than HTTP and keeps the connection open', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket
    .on('error', () => {})
    .on('close', () => resolve())
    .resume()
  // Half open: this side never says that it is done, and learns of the disconnect by writing.
  const writing = setInterval(() => socket.write('NONSENSE\r\n\r\n'), 100)
  await promise
  clearInterval(writing)
})
