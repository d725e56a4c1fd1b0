import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fold } from '../../platform/formats/text.ts'
import type { AliasSource, CommuneSource, FormerName } from './queries.ts'

/** Reads the register from its npm package: present communes, codes that lead to them, former names. */
export async function readPackage(): Promise<Register> {
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
