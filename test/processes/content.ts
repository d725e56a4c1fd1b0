import { createRequire } from 'node:module'
import type pg from 'pg'
import { expect } from 'vitest'
import { demoActeurs } from '../../src/modules/acteurs/demo-acteurs.ts'
import { demoCollectes } from '../../src/modules/communes/demo/collectes.ts'
import { demoCommunes } from '../../src/modules/communes/demo/communes.ts'
import { demoElus } from '../../src/modules/communes/demo/elus.ts'
import { demoInfos } from '../../src/modules/communes/demo/infos.ts'
import { demoMairies } from '../../src/modules/communes/demo/mairies.ts'
import { ask, enter } from './postgres.ts'
import type { Service } from './service.ts'

/** Every commune, every alias and the whole demo, each once: by the register and the demo's own lists. */
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
    loads: demo ? 'communes, demo' : 'communes',
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

/** Another one as soon as a row is loaded again, changed or lost. */
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

const demoCounts = {
  placed: demoCommunes.length,
  with_mairie: demoMairies.size,
  acteurs: demoMairies.size + demoActeurs.length,
  elus: demoCommunes.flatMap(demoElus).length,
  collectes: demoCommunes.flatMap(demoCollectes).length,
  infos: demoCommunes.flatMap(({ code }) => demoInfos(code)).length,
}
const noDemo = { placed: 0, with_mairie: 0, acteurs: 0, elus: 0, collectes: 0, infos: 0 }
