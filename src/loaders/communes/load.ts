import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { uniqueSlugs } from '../../modules/communes/slugs.ts'
import { analyzeTables } from '../../platform/database/analyze.ts'
import type { Database } from '../../platform/database/connect.ts'
import { fold, slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { batches, type Run } from '../run.ts'
import { readGeoFile } from './geo-file.ts'
import {
  type AliasSource,
  type CommuneSource,
  type FormerName,
  insertCommunes,
  insertFormerNames,
  listAliasCodes,
  listKnownCommunes,
  updateCommunes,
  upsertAliases,
} from './queries.ts'

/** Reads the register from its npm package: present communes, codes that lead to them, former names. */
async function readPackage(): Promise<Register> {
  const path = createRequire(import.meta.url).resolve('@etalab/decoupage-administratif/data/communes.json')
  const register: Entry[] = JSON.parse(await readFile(path, 'utf8'))
  const communes = register.filter(({ type }) => type === 'commune-actuelle').map(asCommune)
  const names = new Map(communes.map(({ code_insee, nom }) => [code_insee, fold(nom)]))
  const former = register.filter(({ type }) => type !== 'commune-actuelle')
  return {
    communes,
    aliases: former.filter(({ code }) => !names.has(code)).map(asAlias),
    // A commune déléguée that has the code of the present commune needs no alias, but its name may differ.
    formerNames: former
      .filter(({ code, nom }) => names.has(code) && names.get(code) !== fold(nom))
      .map(({ code, nom }) => ({ commune: code, nom })),
  }
}

type Register = { communes: CommuneSource[]; aliases: AliasSource[]; formerNames: FormerName[] }

type Entry = {
  code: string
  nom: string
  type: string
  departement: string
  region: string
  codesPostaux?: string[]
  population?: number
  /** The present commune of an arrondissement. */
  commune?: string
  /** The present commune of a commune déléguée or associée. */
  chefLieu?: string
}

function asCommune(entry: Entry): CommuneSource {
  return {
    where: entry.code,
    code_insee: entry.code,
    nom: entry.nom,
    codes_postaux: entry.codesPostaux ?? null,
    departement: entry.departement,
    region: entry.region,
    population: entry.population ?? null,
    latitude: null,
    longitude: null,
  }
}

const aliasTypes: Record<string, string> = {
  'arrondissement-municipal': 'arrondissement',
  'commune-deleguee': 'deleguee',
  'commune-associee': 'associee',
}

function asAlias({ code, nom, type, commune, chefLieu }: Entry): AliasSource {
  return { code_insee: code, commune: commune ?? chefLieu ?? '', nom, type: aliasTypes[type] ?? type }
}

type Input = AsyncIterable<Uint8Array> | null

/**
 * Loads communes from the register's package or a geo.api.gouv.fr file: creates new ones, updates known ones,
 * deletes none. Keeps one commune per INSEE code in memory, which bounds it.
 */
export async function loadCommunes(db: Database, input: Input, run: Run): Promise<void> {
  const { communes, aliases, formerNames } =
    input === null ? await readPackage() : await readGeoFile(input, run)
  if (input === null) run.counts.read += communes.length
  const known = new Map((await listKnownCommunes(db)).map((commune) => [commune.code_insee, commune]))
  const former = input === null ? new Set<string>() : await listAliasCodes(db)
  const creations: Creation[] = []
  const updates: CommuneSource[] = []
  for (const commune of communes) {
    const reason = known.has(commune.code_insee) ? null : whyNot(commune, former)
    if (reason !== null) run.refuse(commune.where, reason)
    else if (known.has(commune.code_insee)) updates.push(commune)
    else if (isComplete(commune)) creations.push(commune)
  }
  await writeUpdates(db, updates, run)
  await writeCreations(db, creations, [...known.values()], run)
  await writeAliases(db, aliases, run)
  await insertFormerNames(db, formerNames)
  await analyzeTables(db, ['communes', 'commune_aliases', 'commune_former_names'])
}

/** Loads former names into a database whose communes were loaded before former names were stored. */
export async function loadFormerNames(db: Database): Promise<void> {
  const { formerNames } = await readPackage()
  await insertFormerNames(db, formerNames)
  await analyzeTables(db, ['commune_former_names'])
}

type Creation = CommuneSource & { departement: string; region: string }

function isComplete(commune: CommuneSource): commune is Creation {
  return commune.departement !== null && commune.region !== null
}

function whyNot(commune: CommuneSource, former: Set<string>): string | null {
  if (former.has(commune.code_insee)) return `${commune.code_insee} is by now part of another commune`
  return isComplete(commune)
    ? null
    : `${commune.code_insee} is new, and codeDepartement or codeRegion is missing`
}

async function writeUpdates(db: Database, communes: CommuneSource[], run: Run): Promise<void> {
  for (const batch of batches(communes)) {
    const updated = await updateCommunes(db, batch)
    run.counts.updated += updated
    run.counts.unchanged += batch.length - updated
    run.step()
  }
}

type StoredCommune = { slug: string; nom: string }

/** Reserves known communes' names like their slugs: namesakes get the same slugs in one run or two. */
async function writeCreations(
  db: Database,
  communes: Creation[],
  known: StoredCommune[],
  run: Run,
): Promise<void> {
  if (communes.length === 0) return
  const named = communes.map(({ code_insee, nom, departement }) => ({ code: code_insee, nom, departement }))
  const slugs = uniqueSlugs(named, new Set(known.flatMap(({ slug, nom }) => [slug, slugify(nom)])))
  const rows = communes.flatMap((commune) => {
    const slug = slugs.get(commune.code_insee)
    if (slug === undefined) run.refuse(commune.where, `no slug is free for ${commune.code_insee}`)
    return slug === undefined ? [] : [{ ...commune, id: uuidv7(), slug }]
  })
  for (const batch of batches(rows)) {
    await insertCommunes(db, batch)
    run.counts.created += batch.length
    run.step()
  }
}

async function writeAliases(db: Database, aliases: AliasSource[], run: Run): Promise<void> {
  for (const batch of batches(aliases)) {
    await upsertAliases(db, batch)
    run.step()
  }
}
