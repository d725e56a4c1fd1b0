import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type pg from 'pg'
import { expect } from 'vitest'
import { readData } from '../../demo/data.ts'
import { ask, enter } from './postgres.ts'
import type { Service } from './service.ts'

/** Expects every commune, alias and demo record exactly once. */
export async function expectWhole(service: Service, { demo = true } = {}): Promise<void> {
  await service.ready
  await expectWholeDatabase(enter(service.dataDir), { demo })
}

export async function expectWholeDatabase(
  connecting: Promise<pg.Client>,
  { demo }: { demo: boolean },
): Promise<void> {
  expect(await ask(connecting, counts)).toEqual({
    communes: 34_969,
    ...aliasCounts,
    ...(demo ? demoCounts : noDemo),
    loads: demo ? 'communes, demo, former-names' : 'communes, former-names',
  })
}

const counts = `
  select count(*)::int as communes,
    (select count(*)::int from commune_aliases) as aliases,
    (select count(distinct commune_id)::int from commune_aliases) as with_aliases,
    count(latitude)::int as placed,
    count(mairie_actor_id)::int as with_mairie,
    (select count(*)::int from acteurs) as acteurs,
    (select count(*)::int from elus) as elus,
    (select count(*)::int from collectes) as collectes,
    (select count(*)::int from commune_infos) as infos,
    (select string_agg(name, ', ' order by name) from first_loads) as loads
  from communes`

/** Changes as soon as a row is reloaded, changed or lost. */
export const fingerprint = `
  select md5(string_agg(concat(id, xmin), ',' order by id)) as communes,
    (select md5(string_agg(concat(code_insee, xmin), ',' order by code_insee)) from commune_aliases) as aliases,
    (select md5(string_agg(concat(id, xmin), ',' order by id)) from elus) as elus,
    (select md5(string_agg(concat(name, xmin), ',' order by name)) from first_loads) as loads
  from communes`

type Entry = { code: string; type: string; commune?: string; chefLieu?: string }

const aliasCounts = countAliases()

function countAliases() {
  const load = createRequire(import.meta.url)
  const register: Entry[] = load('@etalab/decoupage-administratif/data/communes.json')
  const present = new Set(register.filter(({ type }) => type === 'commune-actuelle').map(({ code }) => code))
  const former = register.filter(({ code }) => !present.has(code))
  const named = new Set(former.map(({ commune, chefLieu }) => commune ?? chefLieu))
  return { aliases: former.length, with_aliases: named.size }
}

const demoCounts = await countDemo()

async function countDemo() {
  const mairies = (await readData<{ service: object[] }>('communes/mairies.json')).service.length
  const lengthOf = async (file: string) => (await readData<object[]>(file)).length
  const inAll = async (file: string) =>
    Object.values(await readData<Record<string, object[]>>(file)).flat().length
  const [, ...elus] = readFileSync('demo/communes/elus.csv', 'utf8').trim().split('\n')
  return {
    placed: await lengthOf('communes/communes.json'),
    with_mairie: mairies,
    acteurs: mairies + (await lengthOf('acteurs.json')),
    elus: elus.length,
    collectes: await inAll('communes/collectes.json'),
    infos: await inAll('communes/infos.json'),
  }
}

const noDemo = { placed: 0, with_mairie: 0, acteurs: 0, elus: 0, collectes: 0, infos: 0 }
