import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Icon } from '../../ui/icon.tsx'
import styles from './public-site.module.css'

/** Address of the public site as the operator has set it; empty if there is none. */
const site = document.querySelector('meta[name="parvis-public-site"]')?.getAttribute('content') ?? ''

type LinkProps = {
  kind: 'publications' | 'acteurs' | 'communes' | 'actes' | 'groupes'
  slug: string
  sub?: string
}

/** Links to a record on the public site. `sub`: path of a page below it. On the development server, and without PUBLIC_SITE_URL, shows nothing. */
export function PublicSiteLink({ kind, slug, sub = '' }: LinkProps) {
  const words = useTranslations('ui')
  if (!/^https?:/.test(site)) return null
  return (
    <a
      className={styles.link}
      href={`${site}/${kind}/${encodeURIComponent(slug)}${sub}`}
      target="_blank"
      rel="noreferrer noopener"
    >
      <Icon name="external" />
      {words('onPublicSite')}
    </a>
  )
}

type PageProps = { path?: '' | '/inscrire'; children: ReactNode }

/** Links to a page of the public site, its first one by default; shows nothing without a site. */
export function PublicSitePage({ path = '', children }: PageProps) {
  if (!/^https?:/.test(site)) return null
  return (
    <a className={styles.link} href={`${site}${path}`}>
      <Icon name="external" />
      {children}
    </a>
  )
}
