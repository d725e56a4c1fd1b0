import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  Can,
  DateOnly,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { withPresence } from '../presence/schema.ts'

/** Response schemas of defibrillators. */
export const statuts = ['actif', 'masque', 'a_verifier'] as const

/** Response fields with the names of their columns. */
const Stored = Type.Object({
  id: Id(),
  gid: Type.String({ description: 'Identifier in the registry (`c_gid`)', examples: ['1800'] }),
  nom: textOrNull('Mairie'),
  adresse: textOrNull('1 Place de la Mairie'),
  code_postal: textOrNull('42000'),
  commune_nom: textOrNull('Saint-Étienne', 'As the registry writes it'),
  code_insee: textOrNull('42218', 'Of the present commune'),
  latitude: nullable(Type.Number({ examples: [45.61] })),
  longitude: nullable(Type.Number({ examples: [4.05] })),
  acces: textOrNull('Extérieur', '`Intérieur` or `Extérieur`'),
  acces_libre: nullable(Type.Boolean({ examples: [true] })),
  etage: textOrNull('0'),
  acces_complement: textOrNull('Entrée principale'),
  disponibilite: textOrNull('Mo-Fr 08:00-18:00', 'Opening hours as OpenStreetMap writes them, or in words'),
  disponibilite_complement: textOrNull('Fermé pendant les vacances scolaires'),
  etat_fonctionnement: textOrNull('En fonctionnement'),
  photo_url: textOrNull('https://photos.example/dae/1800.jpg'),
  date_installation: nullable(DateOnly()),
  mis_a_jour_le: nullable(ResponseTimestamp('Last update in the registry')),
})
export const storedFields = Stored.properties
/** A stored device with its département, which determines local time. */
export type StoredDefibrillateur = Static<typeof Stored> & { departement: string | null }

export const Ouvert = nullable(
  Type.Boolean({ description: 'Whether it can be reached now; null: nobody knows', examples: [true] }),
)

export const Defibrillateur = titled('Defibrillateur', { ...storedFields, ouvert: Ouvert })
export type Defibrillateur = Static<typeof Defibrillateur>

const Statut = oneOf(statuts, 'Shown to the public only where it is `actif` on both levels')
const noteExample = { description: 'Of the administrators', examples: ['Vu sur place le 12 mai'] }

/** Administrators' fields: those of the route's level, then of both levels. */
export const statutFields = {
  statut_admin: Statut,
  note: nullable(Type.String(noteExample)),
  statut_admin_commune: Statut,
  statut_admin_france: Statut,
  absent_depuis: nullable(ResponseTimestamp('When it disappeared from the registry')),
  version: Type.Integer({ examples: [1] }),
}
export const defibrillateurActions = { edit: always }

export const ManagedDefibrillateur = titled('ManagedDefibrillateur', {
  ...Defibrillateur.properties,
  ...statutFields,
  can: Can(defibrillateurActions),
})
export type ManagedDefibrillateur = Static<typeof ManagedDefibrillateur>

/** A device with the notes of both levels, the commune that it belongs to, and the colleagues who look at it. */
export const DefibrillateurRecord = withPresence(
  {
    ...ManagedDefibrillateur.properties,
    note_commune: textOrNull('Déplacé dans le hall', 'Of the commune'),
    commune: nullable(
      Type.Object(
        { id: Id(), nom: Type.String({ examples: ['Saint-Étienne'] }) },
        { description: 'By its INSEE code' },
      ),
    ),
    retenu: Type.Boolean({
      description:
        'Whether the registry itself would show it: validated, working, not mobile, not listed twice',
      examples: [true],
    }),
    public: Type.Boolean({ description: 'Whether the public sees it now', examples: [true] }),
  },
  'DefibrillateurRecord',
)

export const StatutBody = strictObject({
  statut_admin: Statut,
  note: Type.Optional(nullable(text(1_000, noteExample))),
})
export type StatutBody = Static<typeof StatutBody>

export const syncStatuses = ['queued', 'running', 'succeeded', 'failed'] as const
export type SyncStatus = (typeof syncStatuses)[number]
export const lastSynced = nullable(
  ResponseTimestamp('When a sync last succeeded, of the commune or of France'),
)
export const latestStatus = nullable(oneOf(syncStatuses, 'Of the latest sync; null: there was none'))

export const codeInsee = Type.Optional(
  Type.String({
    pattern: '^[0-9][0-9AB][0-9]{3}$',
    description: 'INSEE code; that of a former commune leads to the present one',
    examples: ['42218'],
  }),
)
export const searchText = Type.Optional(
  text(200, {
    description:
      'Beginnings of words of the name, the address, the postal code or the commune, whatever their accents and case; all must be found',
    examples: ['mairie 42000'],
  }),
)
