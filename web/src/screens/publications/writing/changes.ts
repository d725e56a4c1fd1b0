import { withKnownDates } from '../../../../../src/modules/publications/recurrence-words.ts'
import type { components } from '../../../api/api.generated.ts'
import { numberOf } from '../../../shell/editing/number-of.ts'
import { idsIn } from '../../../shell/media/tokens.ts'
import {
  type Content,
  emptyContent,
  mediaNames,
  namesThatDiffer,
  type PlainName,
  placeNames,
  plainNames,
} from './content.ts'

type Publication = components['schemas']['Publication']

/** Returns the content as the API answers it, without pictures and documents. */
export const publicationOf = (content: Content) => {
  const { images: _, documents: __, ...others } = changesOf(content, emptyContent)
  return others
}

/** Returns the changed fields of `content` in the format of the API. */
export function changesOf(content: Content, before: Content): Partial<Sent> {
  const changed = namesThatDiffer(content, before)
  const plain = plainNames.filter((name) => changed.includes(name)).map((name) => [name, sent(name, content)])
  return {
    ...Object.fromEntries(plain),
    ...(placeNames.some((name) => changed.includes(name)) && { lieu: lieuOf(content) }),
    ...Object.fromEntries(
      mediaNames.filter((name) => changed.includes(name)).map((name) => [name, idsIn(content[name])]),
    ),
    ...((changed.includes('recurrence') || (changed.includes('date_debut') && content.recurrence !== '')) && {
      recurrence: recurrenceOf(content),
    }),
  }
}

type Sent = {
  title: string
  body: string
  lieu: Publication['lieu']
  images: string[]
  documents: string[]
  recurrence: Publication['recurrence']
} & Record<Exclude<PlainName, 'title' | 'body'>, string | null>

/** Converts an empty field to null, except title and text: the service then reports them as missing. */
const sent = (name: PlainName, { [name]: value }: Content) =>
  value.trim() === '' && name !== 'title' && name !== 'body' ? null : value

/**
 * The recurrence in the format of the API, without what was said of dates that it no longer has. The form keeps that of a
 * first day which was cleared.
 */
const recurrenceOf = ({ recurrence, date_debut }: Content): Publication['recurrence'] =>
  recurrence === '' || date_debut === '' ? null : withKnownDates(JSON.parse(recurrence), date_debut)

/** The place in the format of the API, which replaces it whole. */
function lieuOf(content: Content): Publication['lieu'] {
  if (placeNames.every((name) => content[name].trim() === '')) return null
  return {
    nom: content['lieu.nom'].trim() || null,
    adresse: content['lieu.adresse'].trim() || null,
    latitude: numberOf(content['lieu.latitude']),
    longitude: numberOf(content['lieu.longitude']),
  }
}
