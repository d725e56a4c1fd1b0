import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { expect } from 'vitest'
import { readData } from '../../demo/data.ts'
import { ask, enter } from './postgres.ts'
import { makeFolder, type Service } from './service.ts'

/** The content of a new database; `few`: of a service that was started with `loadFewCommunes()`. */
export type Content = { demo?: boolean; few?: boolean; loads?: string }

/** Expects every commune, alias and demo record exactly once. */
export async function expectWhole(service: Service, content: Content = {}): Promise<void> {
  await service.ready
  await expectWholeDatabase(enter(service.dataDir), content)
}

export async function expectWholeDatabase(
  connecting: Promise<pg.Client>,
  {
    demo = true,
    few = false,
    loads = demo ? 'communes, demo, former-names, groups' : 'communes, former-names, groups',
  }: Content,
): Promise<void> {
  expect(await ask(connecting, counts)).toEqual({
    communes: few ? fewRegister.filter(isPresent).length : 34_969,
    ...countAliases(few ? fewRegister : register),
    ...(demo ? demoCounts : noDemo),
    loads,
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

type Entry = { code: string; type: string; departement: string; commune?: string; chefLieu?: string }

const registerFile = '@etalab/decoupage-administratif/data/communes.json'
const register: Entry[] = createRequire(import.meta.url)(registerFile)
const isPresent = ({ type }: Entry) => type === 'commune-actuelle'
/** Communes of two départements, and the codes that lead to them. */
const fewRegister = register.filter(({ departement }) => ['42', '73'].includes(departement))

/** Writes a register of few communes: most of an initial load is the number of communes. */
export function writeFewCommunes(file: string): void {
  writeFileSync(file, JSON.stringify(fewRegister))
}

/** Returns settings with which a service or a command loads few communes. */
export function loadFewCommunes(): { NODE_OPTIONS: string } {
  const file = join(makeFolder(), 'communes.json')
  writeFewCommunes(file)
  // An old Node that runs npm has no hooks, and loads no communes.
  const script = `import module from 'node:module'
    module.registerHooks?.({
      resolve: (name, context, next) =>
        name === '${registerFile}' ? { url: '${pathToFileURL(file)}', shortCircuit: true } : next(name, context),
    })`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` }
}

function countAliases(entries: Entry[]) {
  const present = new Set(entries.filter(isPresent).map(({ code }) => code))
  const former = entries.filter(({ code }) => !present.has(code))
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
    acteurs: mairies + (await lengthOf('content/acteurs.json')),
    elus: elus.length,
    collectes: await inAll('communes/collectes.json'),
    infos: await inAll('communes/infos.json'),
  }
}

const noDemo = { placed: 0, with_mairie: 0, acteurs: 0, elus: 0, collectes: 0, infos: 0 }
