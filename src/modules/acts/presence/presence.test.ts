import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { operator } from '../../../platform/access/caller.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { asOwner, insertAct, insertPublished } from '../acts.test-kit.ts'
import { occultAct } from '../publishing.ts'
import { sampleHandler } from './jobs.ts'
import { insertSample, lastNumber, listSamples } from './queries.ts'
import { rangesOf } from './sample.ts'

const world = await openWorld()
const { db, acteur, commune, client, url } = world
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
const reader = client({ source: 'public' })
const dayMs = 86_400_000
const hourMs = dayMs / 24
/** Before the acts that the job asks for. */
const longAgo = new Date('2026-01-10T09:00:00.000Z')

/** Returns what a proxy before the service answers in place of it, if anything. */
let instead: (path: string) => ((response: ServerResponse) => unknown) | null = () => null
let asked: string[] = []
const proxy = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  const answer = instead(path)
  if (answer !== null) {
    answer(response)
    return
  }
  const { range = '' } = request.headers
  fetch(`${url}${path}`, { headers: { range } }).then(async ({ status, headers, body }) => {
    response.writeHead(status, Object.fromEntries(headers))
    for await (const chunk of body ?? []) response.write(chunk)
    response.end()
  })
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})
const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

let now = new Date()
const handler = sampleHandler({
  ...{ db, reads: db, log: world.log, clock: () => now, pauseMs: 0 },
  config: { ...world.config, publicUrl: address, publicSiteUrl: null },
})
const sample = (signal = new AbortController().signal) =>
  handler.perform({}, { id: 'job', attempt: 1, signal })
const lastSample = async () => (await listSamples(db, new Date(0), new Date('2100-01-01'))).at(-1)
const publish = (title: string, at: Date | null = null) =>
  insertPublished(db, { acteur_id: hall.id, title, date: '2026-01-09' }, at)
const presenceOf = async (id: string) => (await reader.get(`/acts/${id}/presence`)).body.data
const setNow = (at: Date) => {
  now = at
  world.setClock(at.toISOString())
}

beforeEach(() => {
  instead = () => null
  asked = []
})

/** An act of long ago, with a sample every twelve hours for 65 days, some of which did not see it. */
const old = await publish('Ancien', longAgo)
const other = await publish('Autre', new Date(longAgo.getTime() + 1_000))
/** The database sets the moment of a seal: a later one by the clock of the test. */
const afterSeals = () => new Date(Date.now() + 1_000)
const at = (hours: number) => new Date(longAgo.getTime() + hours * hourMs)
const base = { format: 1, kind: 'presence', address, asked: 2, through: 2 } as const
await asOwner(world.database.owner, async (db) => {
  for (let hours = 8; hours < 65 * 24; hours += 12) {
    // The service was away for two days, and one act did not come once.
    if (hours > 240 && hours < 288) continue
    const missing: [number, number][] = hours === 512 ? [[1, 1]] : []
    await insertSample(db, { ...base, since: longAgo.toISOString(), missing }, at(hours))
  }
})

test('presence counts the samples of two months and names interruptions', async () => {
  setNow(at(100 * 24))
  const presence = await presenceOf(old.id)
  expect(presence).toEqual({
    from: longAgo.toISOString(),
    until: '2026-03-10T09:00:00.000Z',
    samples: 114,
    missing: 1,
    interruptions: [
      { from: at(236).toISOString(), until: at(296).toISOString() },
      { from: at(500).toISOString(), until: at(524).toISOString() },
    ],
  })
  expect((await presenceOf(other.id)).missing).toBe(0)
})

test('within its two months presence ends now, and a silence until now is an interruption', async () => {
  setNow(at(100))
  expect(await presenceOf(old.id)).toMatchObject({
    until: at(100).toISOString(),
    samples: 8,
    interruptions: [],
  })
  setNow(at(280))
  expect((await presenceOf(old.id)).interruptions).toEqual([
    { from: at(236).toISOString(), until: at(280).toISOString() },
  ])
})

test('the page of an act says when it was seen', async () => {
  setNow(at(100 * 24))
  const text = await (await fetch(`${url}/actes/${old.id}`)).text()
  expect(text).toContain('114 relevés, 1 absence. 2 fois, rien ne montre qu’il était en ligne :')
  expect(text).toContain('<li>du 20 janvier 2026 à 06:00 au 22 janvier 2026 à 18:00</li>')
  expect(text).toContain(`/actes/${old.id}/presence.zip`)
})

const download = async (path: string) => Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer())

async function unpack(id: string) {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-presence-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'presence.zip'), await download(`/actes/${id}/presence.zip`))
  writeFileSync(join(folder, 'racines.json'), await download('/actes/racines.json'))
  const script =
    'import zipfile; z = zipfile.ZipFile("presence.zip"); assert z.testzip() is None; z.extractall()'
  execFileSync('python3', ['-c', script], { cwd: folder })
  return folder
}
const verify = (folder: string, ...kept: string[]) =>
  spawnSync('python3', ['verifier.py', ...kept], { cwd: folder, encoding: 'utf8' })

test('the program of a proof counts the same, from roots kept elsewhere, the same bytes each time', async () => {
  setNow(at(100 * 24))
  const folder = await unpack(old.id)
  const { stdout, status } = verify(folder, 'racines.json')
  expect(stdout).toContain('114 releves, 1 absences, 2 interruptions')
  expect(stdout).toContain('OK du 2026-01-10T09:00:00.000Z au 2026-03-10T09:00:00Z')
  expect(status).toBe(0)
  const path = `/actes/${old.id}/presence.zip`
  expect((await download(path)).equals(await download(path))).toBe(true)
})

test('on the day of its publication there is no proof of presence yet, and it says so', async () => {
  setNow(at(10))
  const { status, stderr } = verify(await unpack(old.id))
  expect(status).toBe(1)
  expect(stderr).toContain("n'est pas encore publique")
})

type Found = {
  days: {
    previous: string
    links: { number: number; digest?: string; record?: string }[]
    root: { date: string; number: number; seal: string }
  }[]
}
const inFound = (alter: (found: Found) => void) => (folder: string) => {
  const file = join(folder, 'releves.json')
  const found = JSON.parse(readFileSync(file, 'utf8')) as Found
  alter(found)
  writeFileSync(file, JSON.stringify(found))
}
const dayOf = (found: Found, index: number) => found.days[index] as Found['days'][number]

test.each<[string, (folder: string) => void]>([
  [
    'a sample without what was missing',
    inFound((found) => {
      for (const { links } of found.days)
        for (const link of links)
          if (link.record !== undefined) link.record = link.record.replace('[[1,1]]', '[]')
    }),
  ],
  ['a sample removed', inFound((found) => dayOf(found, 3).links.shift())],
  [
    'a sample of another day',
    inFound((found) => {
      dayOf(found, 3).links = dayOf(found, 4).links
    }),
  ],
  [
    'a day twice',
    inFound((found) => {
      found.days.splice(4, 0, dayOf(found, 3))
      found.days.splice(4, 0, dayOf(found, 2))
    }),
  ],
  [
    'a root that was not kept',
    inFound((found) => {
      dayOf(found, 3).root.date = dayOf(found, 4).root.date
    }),
  ],
  [
    'another act',
    (folder) => {
      const file = join(folder, 'acte.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace('Ancien', 'Encien'))
    },
  ],
])('the program of a proof refuses %s', async (_name, alter) => {
  setNow(at(100 * 24))
  const folder = await unpack(old.id)
  alter(folder)
  const { status, stderr } = verify(folder, 'racines.json')
  expect(status).toBe(1)
  expect(stderr).toMatch(/ECHEC/)
})

test('a proof without a day shows it as an interruption', async () => {
  setNow(at(100 * 24))
  const folder = await unpack(old.id)
  inFound((found) => found.days.splice(30, 1))(folder)
  expect(verify(folder, 'racines.json').stdout).toContain('3 interruptions')
})

test('without acts in force nothing is asked for, and no sample is taken', async () => {
  setNow(at(100 * 24))
  const before = await lastNumber(db)
  await sample()
  expect(asked).toEqual([])
  expect(await lastNumber(db)).toBe(before)
})

test('the job asks for the files of acts in force at their address, and its sample joins the chain', async () => {
  setNow(new Date())
  const [one, two] = [await publish('Un'), await publish('Deux')]
  await sample()
  expect(asked).toEqual([`/actes/${one.id}/acte.pdf`, `/actes/${two.id}/acte.pdf`])
  const through = (await lastNumber(db)) - 1
  const taken = await lastSample()
  expect(taken).toMatchObject({ address, asked: 2, missing: [], through })
  // The database's clock, which tests do not set.
  expect(Math.abs(new Date(taken?.at ?? 0).getTime() - Date.now())).toBeLessThan(600_000)
  setNow(afterSeals())
  expect(await presenceOf(one.id)).toMatchObject({ samples: 1, missing: 0, interruptions: [] })
  const three = await publish('Trois')
  expect((await presenceOf(three.id)).samples).toBe(0)
})

const refuse = (response: ServerResponse) => response.writeHead(503).end()
test.each<[string, (response: ServerResponse) => void]>([
  ['not found', (response) => response.writeHead(404).end()],
  ['refused', refuse],
  [
    'of another size',
    (response) => response.writeHead(206, { 'content-range': 'bytes 0-0/1', etag: '"x"' }).end('x'),
  ],
  ['whole without its digest', (response) => response.writeHead(200).end('x')],
  ['cut', (response) => response.destroy()],
])('a file that is %s is missing in the sample, and its neighbours are not', async (_name, answer) => {
  setNow(new Date())
  const [one, two] = [await publish(`Un ${_name}`), await publish(`Deux ${_name}`)]
  instead = (path) => (path.includes(one.id) ? answer : null)
  await sample()
  expect(asked.filter((path) => path.includes(one.id))).toHaveLength(3)
  setNow(afterSeals())
  expect(await presenceOf(one.id)).toMatchObject({ samples: 1, missing: 1 })
  expect(await presenceOf(two.id)).toMatchObject({ samples: 1, missing: 0 })
})

test('a file that comes when it is asked for again is not missing', async () => {
  setNow(new Date())
  const act = await publish('Lent')
  let refusals = 2
  instead = (path) => (path.includes(act.id) && refusals-- > 0 ? refuse : null)
  await sample()
  expect((await lastSample())?.missing).toEqual([])
})

test('an occulted act is missing without being asked for, and without a warning', async () => {
  setNow(new Date())
  const [one, two] = [await publish('Occulté'), await publish('Suivant')]
  await sample()
  const reason = { reason: 'Décision de la CNIL', now }
  await occultAct(db, operator, { acteurId: hall.id, id: one.id }, reason)
  const warned = vi.spyOn(world.log, 'warn')
  onTestFinished(() => warned.mockRestore())
  asked = []
  setNow(new Date(now.getTime() + 1_000))
  await sample()
  expect(asked.some((path) => path.includes(one.id))).toBe(false)
  expect(asked.some((path) => path.includes(two.id))).toBe(true)
  const number = (await reader.get(`/acts/${one.id}`)).body.data.seal.number
  expect((await lastSample())?.missing).toEqual([[number, number]])
  expect(warned).not.toHaveBeenCalled()
  // It had to be on line until then.
  expect(await presenceOf(one.id)).toMatchObject({ missing: 0, interruptions: [] })
})

test('while the service is away all acts are missing, and few of them are asked for', async () => {
  setNow(new Date())
  for (let count = 0; count < 50; count++) await publish(`Absent ${count}`)
  instead = () => (response) => response.destroy()
  await sample()
  expect(asked.length).toBeLessThanOrEqual(44 * 3)
  const taken = await lastSample()
  expect(taken?.missing).toEqual([[1, taken?.through]])
})

test('an aborted attempt leaves nothing; two at once leave two samples in order', async () => {
  setNow(new Date())
  await publish('Encore')
  const before = await lastNumber(db)
  await expect(sample(AbortSignal.abort())).rejects.toThrow()
  expect(await lastNumber(db)).toBe(before)
  await Promise.all([sample(), sample()])
  expect(await lastNumber(db)).toBe(before + 2)
})

test('ranges join neighbours, and too many are one', () => {
  expect(rangesOf([])).toEqual([])
  expect(rangesOf([1, 2, 3, 7, 9, 10])).toEqual([
    [1, 3],
    [7, 7],
    [9, 10],
  ])
  expect(rangesOf(Array.from({ length: 600 }, (_, index) => 2 * index + 3))).toEqual([[3, 1_201]])
})

test('presence of a draft or of no act is not found', async () => {
  const draft = await insertAct(db, { acteur_id: hall.id })
  for (const id of [draft.id, uuidv7()]) {
    expect((await reader.get(`/acts/${id}/presence`)).status).toBe(404)
    expect((await fetch(`${url}/actes/${id}/presence.zip`)).status).toBe(404)
  }
})
