import { createLink, getRouteApi, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Link } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import type { Me } from '../../api/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'
import { NotOwn } from './not-own.tsx'
import { partOf, partsFor, type SpacePart } from './parts.ts'
import styles from './space.module.css'

const route = getRouteApi('/signed-in/espace/$acteurId')

/** Frame around the screens of one acteur: which one it is, a choice of the others, and its parts. */
export function SpaceScreen() {
  const words = useTranslations('espace')
  const { acteurId } = route.useParams()
  const { me }: { me: Me } = route.useRouteContext()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const acteur = me.acteurs.find(({ acteur_id }) => acteur_id === acteurId)
  if (acteur === undefined) return <NotOwn key={acteurId} acteurId={acteurId} me={me} />
  const parts = partsFor(acteur)
  /** Opens the same part of another acteur, or its home if it has no such part. */
  const change = (id: string) => {
    const other = me.acteurs.find(({ acteur_id }) => acteur_id === id)
    const part = other && partsFor(other).find(({ name }) => name === partOf(path, acteur)?.name)
    void navigate({ to: part?.to ?? '/espace/$acteurId', params: { acteurId: id } })
  }
  return (
    <div className={styles.space}>
      <header className={styles.head}>
        <Icon name="hall" />
        {me.acteurs.length > 1 ? (
          <Select
            quietLabel
            label={words('switch')}
            value={acteurId}
            onChange={change}
            options={me.acteurs.map(({ acteur_id, nom }) => ({ value: acteur_id, label: nom }))}
          />
        ) : (
          <span className={styles.name}>{acteur.nom}</span>
        )}
      </header>
      <nav className={styles.parts} aria-label={words('parts.label')} data-bottom-bar>
        {parts.map((part) => (
          <PartLink
            key={part.name}
            part={part}
            acteurId={acteurId}
            isCurrent={part === partOf(path, acteur)}
          />
        ))}
      </nav>
      <div className={styles.screen}>
        <Outlet />
      </div>
    </div>
  )
}

const PlainLink = createLink(Link)

type PartLinkProps = { part: SpacePart; acteurId: string; isCurrent: boolean }

function PartLink({ part, acteurId, isCurrent }: PartLinkProps) {
  const words = useTranslations('espace.parts')
  return (
    <PlainLink
      to={part.to}
      params={{ acteurId }}
      className={styles.part}
      activeOptions={{ exact: true }}
      {...(isCurrent && { 'aria-current': 'page' as const, 'data-current': true })}
    >
      <Icon name={part.icon} />
      {words(part.name)}
    </PlainLink>
  )
}
