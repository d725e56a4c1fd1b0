type Label = { fr: string; en: string }

/** How a value is written, stored, entered and shown. */
export type Kind =
  | 'title'
  | 'html'
  | 'type'
  | 'day'
  | 'hour'
  | 'recurrence'
  | 'link'
  | 'image'
  | 'images'
  | 'documents'
  | 'place'
  | 'line'

/** What reads a field beside the publication itself. */
type Use = 'versions' | 'corrections' | 'similarity' | 'imports'

/** A column or path that the mapping of an import names. Feeds call it by these words, the most telling first. */
type Target = { label?: Label; description: string; example: string; words: readonly string[] }

export type Field = {
  kind: Kind
  label: Label
  /** For clients of the API. */
  description?: string
  example?: string
  /** Limit on the characters of a line, by default `maxLine`. */
  max?: number
  in: readonly Use[]
  mapped?: Readonly<Record<string, Target>>
}

/**
 * The content of a publication, each field declared once: bodies, responses, versions, corrections, similar publications,
 * imports, exports of a person, labels of the audit log and screens follow from here. Plain data without an import: the
 * browser and the threads that read imports load it too.
 */
export const publicationFields = {
  title: {
    kind: 'title',
    label: { fr: 'Titre', en: 'Title' },
    in: ['versions', 'corrections', 'similarity', 'imports'],
    mapped: {
      title: {
        ...{ description: 'The title', example: 'titre' },
        words: [
          ...['title', 'titre', 'nom', 'name', 'intitule', 'libelle', 'label', 'objet', 'evenement'],
          'headline',
        ],
      },
    },
  },
  body: {
    kind: 'html',
    label: { fr: 'Texte', en: 'Text' },
    in: ['versions', 'corrections', 'similarity', 'imports'],
    mapped: {
      body: {
        ...{ description: 'The text; where an item has none, its title', example: 'texte' },
        words: [
          ...['body', 'description', 'texte', 'contenu', 'content', 'descriptif', 'text', 'details'],
          ...['longdescription', 'resume', 'summary', 'chapo', 'excerpt', 'message'],
        ],
      },
    },
  },
  type_id: { kind: 'type', label: { fr: 'Type', en: 'Type' }, in: ['corrections'] },
  date_debut: {
    kind: 'day',
    label: { fr: 'Premier jour', en: 'First day' },
    description: 'First day',
    in: ['corrections', 'similarity', 'imports'],
    mapped: {
      date_debut: {
        ...{ description: 'First day, with its hour where it has one', example: 'debut' },
        words: [
          ...['date_debut', 'datedebut', 'debut', 'start', 'start_date', 'startdate', 'begin', 'starts_at'],
          ...['dtstart', 'date', 'jour', 'quand', 'published', 'pubdate'],
        ],
      },
    },
  },
  date_fin: {
    kind: 'day',
    label: { fr: 'Dernier jour', en: 'Last day' },
    description: 'Last day, not before the first',
    in: ['corrections', 'imports'],
    mapped: {
      date_fin: {
        ...{ description: 'Last day, with its hour where it has one', example: 'fin' },
        words: [
          ...['date_fin', 'datedefin', 'fin', 'end', 'end_date', 'enddate', 'ends_at', 'dtend', 'jusqu_au'],
        ],
      },
    },
  },
  heure_debut: {
    kind: 'hour',
    label: { fr: 'Heure de début', en: 'Start time' },
    description: 'First hour, on the first day, by the clock in Paris',
    example: '20:30',
    in: ['corrections', 'imports'],
  },
  heure_fin: {
    kind: 'hour',
    label: { fr: 'Heure de fin', en: 'End time' },
    description:
      'Last hour, on the last day, by the clock in Paris. On one day it comes after the first hour; 00:00 is the end of the day',
    example: '22:30',
    in: ['corrections', 'imports'],
  },
  recurrence: {
    kind: 'recurrence',
    label: { fr: 'Répétition', en: 'Recurrence' },
    in: ['versions', 'corrections'],
  },
  source_url: {
    kind: 'link',
    label: { fr: 'Page d’origine', en: 'Original page' },
    example: 'https://croqueurs.example/fete',
    in: ['similarity', 'imports'],
    mapped: {
      url: {
        ...{ description: 'The page of the item', example: 'lien' },
        words: [
          ...['url', 'lien', 'link', 'permalink', 'href', 'page', 'site', 'website', 'siteweb'],
          'canonicalurl',
        ],
      },
    },
  },
  // Moderators may remove it, and choose no other.
  image_url: {
    kind: 'image',
    label: { fr: 'Adresse d’une image', en: 'Image address' },
    example: 'https://croqueurs.example/pomme.jpg',
    in: ['similarity', 'imports'],
    mapped: {
      image_url: {
        ...{ description: 'A picture', example: 'image' },
        words: [
          ...['image_url', 'imageurl', 'image', 'photo', 'visuel', 'picture', 'illustration', 'thumbnail'],
          'vignette',
        ],
      },
    },
  },
  // Moderators may remove some, and choose no others.
  images: { kind: 'images', label: { fr: 'Images', en: 'Pictures' }, in: ['versions', 'corrections'] },
  documents: {
    kind: 'documents',
    label: { fr: 'Documents', en: 'Documents' },
    in: ['versions', 'corrections'],
  },
  lieu: {
    kind: 'place',
    label: { fr: 'Lieu', en: 'Place' },
    in: ['versions', 'corrections', 'similarity', 'imports'],
    mapped: {
      'lieu.nom': {
        label: { fr: 'Lieu', en: 'Place' },
        ...{ description: 'The name of the place', example: 'salle' },
        words: ['lieu_nom', 'nom_du_lieu', 'lieu', 'place', 'location', 'venue', 'salle', 'location_name'],
      },
      'lieu.adresse': {
        label: { fr: 'Adresse du lieu', en: 'Address of the place' },
        ...{ description: 'Its address', example: 'adresse', words: ['adresse', 'address', 'rue'] },
      },
      'lieu.latitude': {
        label: { fr: 'Latitude', en: 'Latitude' },
        ...{ description: 'In degrees', example: 'latitude', words: ['latitude', 'lat'] },
      },
      'lieu.longitude': {
        label: { fr: 'Longitude', en: 'Longitude' },
        ...{ description: 'In degrees', example: 'longitude', words: ['longitude', 'lon', 'lng'] },
      },
    },
  },
} as const satisfies Record<string, Field>

type Fields = typeof publicationFields
export type FieldName = keyof Fields
export type NamesOf<Kinds extends Kind> = {
  [Name in FieldName]: Fields[Name]['kind'] extends Kinds ? Name : never
}[FieldName]
export type NamesIn<Wanted extends Use> = {
  [Name in FieldName]: Wanted extends Fields[Name]['in'][number] ? Name : never
}[FieldName]

export const contentNames = Object.keys(publicationFields) as FieldName[]

/** Returns the fields of some kinds. */
export const namesOf = <Kinds extends Kind>(...kinds: Kinds[]) =>
  contentNames.filter((name) => (kinds as Kind[]).includes(publicationFields[name].kind)) as NamesOf<Kinds>[]

/** Returns the fields that something reads. */
export const namesIn = <Wanted extends Use>(use: Wanted) =>
  contentNames.filter((name) =>
    (publicationFields[name].in as readonly Use[]).includes(use),
  ) as NamesIn<Wanted>[]

type Mapped = { [Name in FieldName]: Fields[Name] extends { mapped: infer Targets } ? keyof Targets : never }
export type MappedName = Mapped[FieldName]

/** What a mapping may name, with its field. */
export const mappedTargets = Object.entries<Field>(publicationFields).flatMap(([field, { label, mapped }]) =>
  Object.entries(mapped ?? {}).map(([name, target]) => ({
    ...{ label, ...target },
    name: name as MappedName,
    field: field as FieldName,
  })),
)

export const maxImages = 8
export const maxDocuments = 5
export const maxTitle = 200
export const maxNomOfLieu = 200
export const maxAdresseOfLieu = 300
export const maxLine = 200
export const maxBody = 20_000
// HTML writes `&amp;` for `&`: the stored text may be longer than the input, but no real text doubles.
export const maxStoredBody = 2 * maxBody
