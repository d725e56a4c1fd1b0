import type { Contact, Info, Infos } from './schema.ts'

const contactKeys = ['adresse', 'telephone', 'email', 'site_web'] as const
type ContactKey = (typeof contactKeys)[number]
type Choice = { value: string | null; source: 'mairie' | 'commune' | null }

/**
 * Merges contact fields: the mairie's value if present, else the commune's first row for the field. Returns
 * unused rows in `complements`. Blank counts as missing.
 */
export function mergeInfos(mairie: Contact | null, rows: Info[]): Infos {
  const used = new Set<Info>()
  const choose = (key: ContactKey): Choice => {
    const own = filled(mairie?.[key])
    if (own !== null) return { value: own, source: 'mairie' }
    const row = rows.find(({ cle, valeur }) => cle === key && filled(valeur) !== null)
    if (row === undefined) return { value: null, source: null }
    used.add(row)
    return { value: filled(row.valeur), source: 'commune' }
  }
  const choices = contactKeys.map((key) => [key, choose(key)] as const)
  return {
    ...byKey(choices.map(([key, { value }]) => [key, value])),
    sources: byKey(choices.map(([key, { source }]) => [key, source])),
    complements: rows.filter((row) => !used.has(row)),
  }
}

function filled(value: string | null | undefined): string | null {
  const trimmed = value?.trim()
  return trimmed ? trimmed : null
}

const byKey = <V>(entries: [ContactKey, V][]) => Object.fromEntries(entries) as Record<ContactKey, V>
