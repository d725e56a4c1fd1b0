import { useTranslations } from 'use-intl'
import type { Delivery, EventType, Owner } from './queries.ts'

const eventTypes = [
  'publication.published',
  'publication.changed',
  'publication.withdrawn',
  'alerte.published',
  'alerte.changed',
  'alerte.withdrawn',
  'act.published',
  'commune.changed',
  'claim.decided',
] as const satisfies readonly EventType[]

/** The types that an owner may choose: claims are about their claimants, so that only the platform hears of them. */
export const typesFor = (owner: Owner): readonly EventType[] =>
  owner === null ? eventTypes : eventTypes.filter((type) => type !== 'claim.decided')

type Name<Of extends string> = Of extends `${infer Record}.${infer Deed}` ? `${Record}_${Deed}` : never

/** Returns a function that names a type in words; a dot would begin another level of the texts. */
export function useTypeName() {
  const words = useTranslations('webhooks.types')
  return (type: Delivery['type']) => words(type.replace('.', '_') as Name<Delivery['type']>)
}
