import type { Contact, InfoRow } from './queries.ts'

const contactKeys = ['adresse', 'telephone', 'email', 'site_web'] as const
type ContactKey = (typeof contactKeys)[number]
type Source = 'mairie' | 'commune' | null

/**
 * What a commune tells: each contact field is the mairie's when it has one, else the commune's first row for it. The
 * rows that served for no field are kept beside. Blank counts as missing.
 */
export function mergeInfos(mairie: Contact | undefined, rows: InfoRow[]) {
  const used = new Set<InfoRow>()
  const choose = (key: ContactKey): { value: string | null; source: Source } => {
    const own = filled(mairie?.[key])
    if (own !== null) return { value: own, source: 'mairie' }
    const row = rows.find(({ cle, valeur }) => cle === key && filled(valeur) !== null)
    if (row === undefined) return { value: null, source: null }
    used.add(row)
    return { value: filled(row.valeur), source: 'commune' }
  }
  const chosen = contactKeys.map((key) => [key, choose(key)] as const)
  return {
    ...record(chosen.map(([key, { value }]) => [key, value])),
    sources: record(chosen.map(([key, { source }]) => [key, source])),
    complements: rows.filter((row) => !used.has(row)),
  }
}

function filled(value: string | null | undefined): string | null {
  const trimmed = value?.trim()
  return trimmed ? trimmed : null
}

const record = <V>(entries: [ContactKey, V][]) => Object.fromEntries(entries) as Record<ContactKey, V>
