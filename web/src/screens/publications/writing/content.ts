import type { components } from '../../../api/api.generated.ts'

type Publication = components['schemas']['Publication']

/** What is written of a publication, as its fields take it: nothing for none. */
export type Content = Record<(typeof contentNames)[number], string>
export const contentNames = [
  'title',
  'body',
  'type_id',
  'date_debut',
  'heure_debut',
  'date_fin',
  'heure_fin',
] as const

export const contentOf = (publication: Pick<Publication, keyof Content>): Content =>
  eachName((name) => publication[name] ?? '')

/** Fields of `content` that differ, as the service takes them. */
export function changesOf(content: Content, before: Content) {
  const changed = namesThatDiffer(content, before).map((name) => [name, sent(name, content[name])])
  return Object.fromEntries(changed) as Partial<Sent>
}

type Sent = { title: string; body: string } & Record<Exclude<keyof Content, 'title' | 'body'>, string | null>

/** Title and text are never none: the service says that they are missing. */
export const sent = (name: keyof Content, value: string) =>
  value.trim() === '' && name !== 'title' && name !== 'body' ? null : value

export const namesThatDiffer = (content: Content, before: Content) =>
  contentNames.filter((name) => content[name] !== before[name])

/** What was typed on an older version, over the newest: fields that were left alone follow it. */
export const rebased = (mine: Content, base: Content, newest: Content): Content =>
  eachName((name) => (mine[name] === base[name] ? newest[name] : mine[name]))

const eachName = (read: (name: keyof Content) => string) =>
  Object.fromEntries(contentNames.map((name) => [name, read(name)])) as Content
