import type { Choice } from '../../ui/combo.tsx'
import type { Mapping, Settings, Source, SourceType } from './queries.ts'

/** The form of a source as typed. Empty texts stand for nothing. */
export type SourceDraft = {
  url: string
  nom: string
  type: SourceType
  acteur: Choice | null
  /** Null: the commune of the acteur. */
  commune: Choice | null
  /** Identifier of the type of publications; empty: none. */
  typeId: string
  publishes: boolean
  skipsDuplicates: boolean
  cron: string
  mapping: Record<string, string>
  /** The address whose type and mapping these are. */
  inspected?: string
}

export const emptySource: SourceDraft = {
  url: '',
  nom: '',
  type: 'rss',
  acteur: null,
  commune: null,
  typeId: '',
  publishes: false,
  skipsDuplicates: true,
  cron: '0 6 * * *',
  mapping: {},
}

type Owners = { acteur: Choice | null; commune: Choice | null }

export const typedOf = (source: Source, { acteur, commune }: Owners): SourceDraft => ({
  url: source.url,
  nom: source.nom,
  type: source.type,
  acteur,
  commune,
  typeId: source.type_id ?? '',
  publishes: source.moderation_status === 'published',
  skipsDuplicates: source.skip_duplicates,
  cron: source.cron ?? '',
  mapping: { ...source.mapping },
})

export const isMapped = (type: SourceType) => type === 'csv' || type === 'json'

export function settingsOf(typed: SourceDraft): Settings {
  // Only JSON has a list of items to be found; what was typed for another type stays in the form.
  const filled = Object.entries(typed.mapping).filter(
    ([name, value]) => value.trim() !== '' && (name !== 'items' || typed.type === 'json'),
  )
  return {
    nom: typed.nom.trim(),
    type: typed.type,
    url: typed.url.trim(),
    acteur_id: typed.acteur?.id ?? null,
    commune_id: typed.commune?.id ?? null,
    type_id: typed.typeId === '' ? null : typed.typeId,
    moderation_status: typed.publishes ? 'published' : 'pending',
    skip_duplicates: typed.skipsDuplicates,
    cron: typed.cron.trim() === '' ? null : typed.cron.trim(),
    mapping: isMapped(typed.type) ? (Object.fromEntries(filled) as Mapping) : null,
  }
}
