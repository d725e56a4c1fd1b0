/** How a value is checked, typed and shown: `prose` over several lines, `hours` as OpenStreetMap writes them. */
type Kind = 'prose' | 'text' | 'line' | 'link' | 'hours' | 'siret'

export type Field = {
  kind: Kind
  label: { fr: string; en: string }
  max: number
  example: string
  /** For clients of the API. */
  description?: string
  /** The audit log stores that it changed, not what it was. */
  personal: boolean
}

/**
 * What an acteur says of itself, each field declared once: bodies, responses, exports of a person, the audit log, forms and
 * pages follow from here. Plain data without an import: the browser loads it too.
 */
export const acteurFields = {
  description: {
    kind: 'prose',
    label: { fr: 'Description', en: 'Description' },
    ...{ max: 5_000, example: 'Ouvert à tous, le jeudi soir.' },
    personal: false,
  },
  adresse: {
    kind: 'text',
    label: { fr: 'Adresse', en: 'Address' },
    ...{ max: 500, example: '12 rue des Alpes, 73000 Chambéry' },
    personal: true,
  },
  telephone: {
    kind: 'line',
    label: { fr: 'Téléphone', en: 'Phone' },
    ...{ max: 50, example: '04 65 71 73 12' },
    personal: true,
  },
  email: {
    kind: 'line',
    label: { fr: 'Adresse e-mail', en: 'E-mail address' },
    ...{ max: 254, example: 'contact@petanque.example', description: 'One plain address' },
    personal: true,
  },
  site_web: {
    kind: 'link',
    label: { fr: 'Site web', en: 'Website' },
    ...{ max: 500, example: 'https://petanque.example', description: 'http or https' },
    personal: true,
  },
  horaires: {
    kind: 'hours',
    label: { fr: 'Horaires', en: 'Opening hours' },
    ...{ max: 2_000, example: 'Mo-Fr 08:30-12:00,13:30-17:00; PH off' },
    description:
      'Opening hours as OpenStreetMap writes them: weekdays, times, dates as `2026 Dec 24` or `Jul 06-Aug 24`, `PH`, `off` and `24/7`',
    personal: false,
  },
  siret: {
    kind: 'siret',
    label: { fr: 'SIRET', en: 'SIRET' },
    ...{ max: 14, example: '21860194600013', description: 'Fourteen digits; open data of acts name it' },
    personal: false,
  },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof acteurFields
export const fieldNames = Object.keys(acteurFields) as FieldName[]

type Fields = typeof acteurFields
export type ContactName = { [N in FieldName]: Fields[N]['personal'] extends true ? N : never }[FieldName]
/** How one reaches an acteur, which may be personal. */
export const contactNames = fieldNames.filter((name): name is ContactName => acteurFields[name].personal)
