import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type RecordLinkProps = { entity: string; id: string; className?: string | undefined; children: ReactNode }

/** Links to the screen of a record; shows the text alone for a kind of record without a screen. */
export function RecordLink({ entity, id, className, children }: RecordLinkProps) {
  if (entity === 'publication')
    return (
      <Link to="/publications/$id" params={{ id }} className={className}>
        {children}
      </Link>
    )
  if (entity === 'claim')
    return (
      <Link to="/claims/$id" params={{ id }} className={className}>
        {children}
      </Link>
    )
  if (entity === 'user')
    return (
      <Link to="/users/$userId" params={{ userId: id }} className={className}>
        {children}
      </Link>
    )
  if (entity === 'acteur')
    return (
      <Link to="/acteurs/$id" params={{ id }} className={className}>
        {children}
      </Link>
    )
  if (entity === 'commune')
    return (
      <Link to="/communes/$id" params={{ id }} className={className}>
        {children}
      </Link>
    )
  if (entity === 'alerte')
    return (
      <Link to="/alertes" className={className}>
        {children}
      </Link>
    )
  return children
}

/** Whether a kind of record has a screen. */
export const hasScreen = (entity: string) =>
  ['publication', 'claim', 'user', 'acteur', 'commune', 'alerte'].includes(entity)
