import { createLink } from '@tanstack/react-router'
import { Link } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '../../shell/records/links.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './home.module.css'
import {
  mayAlert,
  mayEditCommune,
  mayEditPage,
  mayPublish,
  mayPublishActs,
  type OwnActeur,
} from './rights.ts'

type Deed = {
  name: 'publish' | 'alert' | 'act' | 'update'
  hint: 'publishHint' | 'alertHint' | 'actHint' | 'updatePageHint' | 'updateCommuneHint'
  to:
    | '/espace/$acteurId/publier'
    | '/espace/$acteurId/alerter'
    | '/espace/$acteurId/actes'
    | '/espace/$acteurId/commune'
    | '/espace/$acteurId/page'
  icon: IconName
}

/** The few things that most visits are for, as far as the user may do them. */
const deedsFor = (acteur: OwnActeur): Deed[] => [
  ...(mayPublish(acteur)
    ? [{ name: 'publish', hint: 'publishHint', to: '/espace/$acteurId/publier', icon: 'edit' } as const]
    : []),
  ...(mayAlert(acteur)
    ? [{ name: 'alert', hint: 'alertHint', to: '/espace/$acteurId/alerter', icon: 'bell' } as const]
    : []),
  ...(mayPublishActs(acteur)
    ? [{ name: 'act', hint: 'actHint', to: '/espace/$acteurId/actes', icon: 'document' } as const]
    : []),
  // A mairie changes what its commune tells more often than its own page.
  ...(mayEditCommune(acteur)
    ? [
        {
          name: 'update',
          hint: 'updateCommuneHint',
          to: '/espace/$acteurId/commune',
          icon: 'refresh',
        } as const,
      ]
    : mayEditPage(acteur)
      ? [{ name: 'update', hint: 'updatePageHint', to: '/espace/$acteurId/page', icon: 'refresh' } as const]
      : []),
]

const DeedLink = createLink(Link)

/** Deeds as large targets. */
export function Deeds({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.deeds')
  return (
    <nav className={styles.deeds} aria-label={words('label')}>
      {deedsFor(acteur).map(({ name, hint, to, icon }) => (
        <DeedLink key={name} to={to} params={{ acteurId: acteur.acteur_id }} className={styles.deed}>
          <Icon name={icon} />
          <strong>{words(name)}</strong>
          <span className={styles.hint}>{words(hint)}</span>
        </DeedLink>
      ))}
    </nav>
  )
}

/** Deeds as buttons, in a list of acteurs. */
export function QuickDeeds({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.deeds')
  return deedsFor(acteur).map(({ name, to, icon }) => (
    <ScreenLink
      key={name}
      look="primary"
      icon={icon}
      to={to}
      params={{ acteurId: acteur.acteur_id }}
      aria-label={words('named', { deed: words(name), nom: acteur.nom })}
    >
      {words(name)}
    </ScreenLink>
  ))
}
