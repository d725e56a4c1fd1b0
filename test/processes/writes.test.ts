import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { signToken } from '../../src/platform/access/tokens.ts'
import { enter, killPostgres } from './postgres.ts'
import {
  cleanUp,
  killService,
  newDataDir,
  patienceMs,
  type Service,
  startService,
  stop,
  until,
} from './service.ts'

afterAll(cleanUp, patienceMs)

const rounds = process.env.PARVIS_TEST_LONG ? 20 : 2
const secret = 'a secret for tests, long enough to be one'
const writers = 4

test('kill -9 in the middle of admin writes: no answered write is lost, none is without its trail', {
  timeout: rounds * patienceMs,
}, async () => {
  const dataDir = newDataDir()
  const start = () => startService({ dataDir, env: { AUTH_JWT_SECRET: secret, SEED: 'none' } })
  let service = start()
  const token = await becomeAdmin(service)
  const communes = await listCommunes(dataDir)
  const answered = communes.map(() => 0)

  for (let round = 0; round < rounds; round++) {
    const url = await service.ready
    const writing = communes.map((id, writer) =>
      writeUntilItDies(`${url}/api/v1/admin/communes/${id}`, token, answered, writer),
    )
    const before = [...answered]
    const hasEachAnswer = () => answered.every((count, writer) => count > (before[writer] ?? 0))
    expect(await until(hasEachAnswer, service)).toBe(true)
    await sleep(100 + round * 37)
    if (round % 2 === 1) killPostgres(dataDir, { whole: true })
    await killService(service)
    await Promise.all(writing)
    service = start()
    await service.ready
    for (const [writer, id] of communes.entries()) {
      const { population, version, trail, last } = await readState(dataDir, id)
      expect(population).toBeGreaterThanOrEqual(answered[writer] ?? 0)
      expect({ trail, last }).toEqual({ trail: version - 1, last: population })
      answered[writer] = population
    }
  }
  await stop(service)
})

/** One write after the other, each of the next number once the one before is answered, until there is nobody to answer. */
async function writeUntilItDies(
  url: string,
  token: string,
  answered: number[],
  writer: number,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-app-source': 'backoffice',
    'content-type': 'application/json',
  }
  for (;;) {
    const next = (answered[writer] ?? 0) + 1
    const body = JSON.stringify({ population: next })
    const response = await fetch(url, { method: 'PATCH', headers, body }).catch(() => null)
    if (response === null) return
    expect([200, 503]).toContain(response.status)
    if (response.status === 200) answered[writer] = next
  }
}

async function becomeAdmin(service: Service): Promise<string> {
  const token = await signToken(secret, 'writer', 'writer@example.org', 86_400, new Date())
  const headers = { authorization: `Bearer ${token}`, 'x-app-source': 'backoffice' }
  const url = `${await service.ready}/api/v1/admin/audit`
  await until(async () => (await fetch(url, { headers })).status === 403, service)
  await query(
    service.dataDir,
    "insert into user_roles select id, 'admin' from users where subject = 'writer'",
  )
  return token
}

/** Communes that nobody has changed yet. */
async function listCommunes(dataDir: string): Promise<string[]> {
  const rows = await query(
    dataDir,
    `select id from communes where version = 1 order by code_insee limit ${writers}`,
  )
  return rows.map(({ id }) => id)
}

async function readState(dataDir: string, id: string) {
  const [row] = await query(
    dataDir,
    `select coalesce(population, 0) as population, version,
       (select count(*)::int from audit_log where entity_id = c.id::text) as trail,
       coalesce((select (after ->> 'population')::int from audit_log
         where entity_id = c.id::text order by at desc, id desc limit 1), population) as last
     from communes c where id = '${id}'`,
  )
  return row ?? {}
}

async function query(dataDir: string, text: string) {
  const client = await enter(dataDir)
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
