/**
 * The content fields and their limits. Apart from the schemas, because the threads that read imports would otherwise
 * load the schema and the query library: more than half of the time that they take to start.
 */
export const contentNames = [
  'title',
  'body',
  'type_id',
  'date_debut',
  'date_fin',
  'heure_debut',
  'heure_fin',
  'source_url',
  'image_url',
  'lieu',
] as const

/** Those of which earlier versions are stored. */
export const versionedNames = ['title', 'body', 'lieu'] as const

export const maxTitle = 200
export const maxNomOfLieu = 200
export const maxAdresseOfLieu = 300
export const maxBody = 20_000
// HTML writes `&amp;` for `&`: the stored text may be longer than the input, but no real text doubles.
export const maxStoredBody = 2 * maxBody
