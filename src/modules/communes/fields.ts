type Text = { fr: string; en: string }

/**
 * How a value is checked, typed and shown: `codes` as a list, `count` and `degrees` as numbers. A `picture` needs a
 * description; an `emblem` stands beside the name and needs none. A `title` is a name that is only shown, never searched.
 */
type Kind =
  | 'line'
  | 'code'
  | 'codes'
  | 'count'
  | 'degrees'
  | 'acteur'
  | 'title'
  | 'color'
  | 'emblem'
  | 'picture'

export type Field = {
  kind: Kind
  label: Text
  /** Shown below the input. */
  help?: Text
  /** For clients of the API that read it, and for those that write it. */
  read?: string
  written?: string
  example?: string | number | readonly string[]
  pattern?: string
  /** The most characters, codes, or degrees in both directions. */
  max?: number
  /** Never null. */
  required?: true
}

/**
 * What the row of a commune holds, each field declared once: bodies, responses, CSV columns, the audit log, forms and what a
 * conflict shows follow from here. The mairie changes its look and its pictures, administrators all. Plain data without an import:
 * the browser loads it too.
 */
export const communeFields = {
  nom: {
    kind: 'line',
    label: { fr: 'Nom', en: 'Name' },
    ...{ max: 200, example: 'Chambéry', required: true },
  },
  slug: {
    kind: 'code',
    label: { fr: 'Adresse sur le site public', en: 'Address on the public site' },
    help: {
      fr: 'Les liens vers l’ancienne adresse mènent à la nouvelle.',
      en: 'Links to the former address lead to the new one.',
    },
    written: 'Default: from the name',
    ...{ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', max: 200, example: 'chambery', required: true },
  },
  code_insee: {
    kind: 'code',
    label: { fr: 'Code INSEE', en: 'INSEE code' },
    ...{ pattern: '^[0-9][0-9AB][0-9]{3}$', example: '73065', required: true },
  },
  codes_postaux: {
    kind: 'codes',
    label: { fr: 'Codes postaux', en: 'Postal codes' },
    help: { fr: 'Séparés par des virgules.', en: 'Separated by commas.' },
    ...{ pattern: '^[0-9]{5}$', max: 100, example: ['73000'] },
  },
  departement: {
    kind: 'code',
    label: { fr: 'Code du département', en: 'Code of the département' },
    written: 'Default: from the INSEE code',
    ...{ pattern: '^[0-9][0-9AB][0-9]?$', example: '73', required: true },
  },
  region: {
    kind: 'code',
    label: { fr: 'Code de la région', en: 'Code of the region' },
    written: "Default: that of the département's communes",
    ...{ pattern: '^[0-9]{2}$', example: '84', required: true },
  },
  population: {
    kind: 'count',
    label: { fr: 'Habitants', en: 'Inhabitants' },
    example: 59_856,
  },
  latitude: {
    kind: 'degrees',
    label: { fr: 'Latitude', en: 'Latitude' },
    ...{ max: 90, example: 45.5646 },
  },
  longitude: {
    kind: 'degrees',
    label: { fr: 'Longitude', en: 'Longitude' },
    ...{ max: 180, example: 5.9178 },
  },
  mairie_actor_id: {
    kind: 'acteur',
    label: { fr: 'Mairie', en: 'Mairie' },
    help: {
      fr: 'L’acteur dont les coordonnées passent en premier, et qui publie pour la commune.',
      en: 'The organisation whose contact comes first, and who publishes for the commune.',
    },
    read: 'Acteur that represents the municipal office',
    written: 'An acteur of type mairie',
  },
  nom_affiche: {
    kind: 'title',
    label: { fr: 'Nom tel que vous l’écrivez', en: 'Name as you write it' },
    help: {
      fr: 'Affiché en haut des pages de la commune, comme « Ville de Chambéry ». La recherche garde le nom officiel.',
      en: 'Shown on top of the pages of the commune, such as “Ville de Chambéry”. The search keeps the official name.',
    },
    read: 'The name as the commune writes it, shown in place of `nom`',
    ...{ max: 200, example: 'Ville de Chambéry' },
  },
  couleur: {
    kind: 'color',
    label: { fr: 'Couleur', en: 'Colour' },
    help: {
      fr: 'En haut des pages de la commune, et pour les liens et les boutons.',
      en: 'On top of the pages of the commune, and for links and buttons.',
    },
    read: 'Its colour. Links and buttons use a darker or lighter one where it would be hard to read',
    ...{ pattern: '^#[0-9a-f]{6}$', example: '#8a1538' },
  },
  blason: {
    kind: 'emblem',
    label: { fr: 'Blason', en: 'Coat of arms' },
    help: {
      fr: 'Affiché à côté du nom sur toutes les pages de la commune.',
      en: 'Shown beside the name on every page of the commune.',
    },
    read: 'Its coat of arms or its sign',
    written: 'A picture that the mairie has sent. It needs no description: the name stands beside it',
  },
  photo: {
    kind: 'picture',
    label: { fr: 'Photo', en: 'Photo' },
    help: {
      fr: 'Affichée sur la première page, et quand un lien vers elle est partagé.',
      en: 'Shown on the first page, and where a link to it is shared.',
    },
    written: 'A picture that the mairie has sent, with `alt` or `decorative`',
  },
} as const satisfies Record<string, Field>

type Fields = typeof communeFields
export type FieldName = keyof Fields
export type NamesOf<Kinds extends Kind> = {
  [Name in FieldName]: Fields[Name]['kind'] extends Kinds ? Name : never
}[FieldName]
export const fieldNames = Object.keys(communeFields) as FieldName[]

/** Returns the fields of some kinds. */
export const namesOf = <Kinds extends Kind>(...kinds: Kinds[]) =>
  fieldNames.filter((name) => (kinds as Kind[]).includes(communeFields[name].kind)) as NamesOf<Kinds>[]

/** How a commune shows itself, without its pictures. */
export const lookKinds = ['title', 'color'] as const
export type LookName = NamesOf<(typeof lookKinds)[number]>

/** What is shown as a picture, and given by the id of a file. */
export const pictureKinds = ['emblem', 'picture'] as const
export type PictureName = NamesOf<(typeof pictureKinds)[number]>

/** What a form types in plain inputs. */
export const typedKinds = ['line', 'code', 'codes', 'count', 'degrees'] as const
export type TypedName = NamesOf<(typeof typedKinds)[number]>

/** Codes of kinds of waste that the public knows by other words. Any other text is a kind too. */
export const wasteCodes = [
  'ordures_menageres',
  'emballages',
  'verre',
  'papier',
  'biodechets',
  'dechets_verts',
  'encombrants',
] as const
