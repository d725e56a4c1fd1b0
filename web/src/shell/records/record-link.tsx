import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TitleLink } from './links.tsx'

/** The screen of a record, by its kind. */
export const recordTargets = {
  publication: (id: string) => linkOptions({ to: '/publications/$id', params: { id } }),
  claim: (id: string) => linkOptions({ to: '/claims/$id', params: { id } }),
  complaint: (id: string) => linkOptions({ to: '/complaints/$id', params: { id } }),
  user: (userId: string) => linkOptions({ to: '/users/$userId', params: { userId } }),
  thread: (selected: string) => linkOptions({ to: '/messages', search: { selected } }),
  acteur: (id: string) => linkOptions({ to: '/acteurs/$id', params: { id } }),
  commune: (id: string) => linkOptions({ to: '/communes/$id', params: { id } }),
  defibrillateur: (id: string) => linkOptions({ to: '/defibrillateurs/$id', params: { id } }),
  import_source: (id: string) => linkOptions({ to: '/imports/$id', params: { id } }),
  subscription: (id: string) => linkOptions({ to: '/subscriptions/$id', params: { id } }),
  alerte: () => linkOptions({ to: '/alertes' }),
}

type RecordLinkProps = {
  entity: string | null
  id: string
  isTitle?: boolean
  children: ReactNode
}

/** Links to the screen of a record; shows the text alone for a kind of record without a screen. */
export function RecordLink({ entity, id, isTitle = false, children }: RecordLinkProps) {
  if (entity === null || !hasScreen(entity)) return children
  const Target = isTitle ? TitleLink : Link
  return <Target {...recordTargets[entity](id)}>{children}</Target>
}

/** Whether a kind of record has a screen. */
export const hasScreen = (entity: string): entity is keyof typeof recordTargets =>
  Object.hasOwn(recordTargets, entity)
