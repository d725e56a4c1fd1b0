import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AliasSource, CommuneSource } from './queries.ts'

/** The present communes and the former codes that lead to them, from the package that carries the register. */
export async function readPackage(): Promise<{ communes: CommuneSource[]; aliases: AliasSource[] }> {
  const path = createRequire(import.meta.url).resolve('@etalab/decoupage-administratif/data/communes.json')
  const register: Entry[] = JSON.parse(await readFile(path, 'utf8'))
  const communes = register.filter(({ type }) => type === 'commune-actuelle').map(asCommune)
  // A commune déléguée that bears the code of the present commune needs no alias.
  const own = new Set(communes.map(({ code_insee }) => code_insee))
  return { communes, aliases: register.filter(({ code }) => !own.has(code)).map(asAlias) }
}

type Entry = {
  code: string
  nom: string
  type: string
  departement: string
  region: string
  codesPostaux?: string[]
  population?: number
  /** The present commune that an arrondissement belongs to. */
  commune?: string
  /** The present commune that a commune déléguée or associée became part of. */
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
