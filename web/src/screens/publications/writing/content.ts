import type { components } from '../../../api/api.generated.ts'

type Publication = components['schemas']['Publication']

/** Field values of a publication; an empty string stands for null. */
export type Content = Record<(typeof contentNames)[number], string>
export const contentNames = [
  'title',
  'body',
  'type_id',
  'date_debut',
  'heure_debut',
  'date_fin',
  'heure_fin',
  'image_url',
  'source_url',
] as const

export const emptyContent = eachName(() => '')

export const contentOf = (publication: Pick<Publication, keyof Content>): Content =>
  eachName((name) => publication[name] ?? '')

/** Returns the changed fields of `content` in the format of the API. */
export function changesOf(content: Content, before: Content) {
  const changed = namesThatDiffer(content, before).map((name) => [name, sent(name, content[name])])
  return Object.fromEntries(changed) as Partial<Sent>
}

type Sent = { title: string; body: string } & Record<Exclude<keyof Content, 'title' | 'body'>, string | null>

/** Converts an empty field to null, except title and text: the service then reports them as missing. */
export const sent = (name: keyof Content, value: string) =>
  value.trim() === '' && name !== 'title' && name !== 'body' ? null : value

export const namesThatDiffer = (content: Content, before: Content) =>
  contentNames.filter((name) => content[name] !== before[name])

function eachName(read: (name: keyof Content) => string): Content {
  return Object.fromEntries(contentNames.map((name) => [name, read(name)])) as Content
}
