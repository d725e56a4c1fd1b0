import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi } from '@tanstack/react-router'
import { Link } from 'react-aria-components'
import { useFormatter, useTranslations } from 'use-intl'
import tabs from '../../ui/tabs.module.css'
import { countsQuery, waitingAt } from './counts.ts'
import styles from './moderation-tabs.module.css'
import { moderation } from './screens.ts'

const signedIn = getRouteApi('/signed-in')
const TabLink = createLink(Link)

/** Links between the moderation queue, the reports, the duplicates and the complaints, which look like tabs. */
export function ModerationTabs() {
  const words = useTranslations('moderation')
  const format = useFormatter()
  const { me } = signedIn.useRouteContext()
  const counts = useQuery({ ...countsQuery, enabled: me.areas.includes('dashboard') })
  return (
    <nav aria-label={words('label')} className={styles.tabs} data-scrolls-sideways>
      {moderation.map(({ name, path }) => {
        const waiting = waitingAt(counts.data, name)
        return (
          <TabLink
            key={name}
            to={path}
            className={tabs.tab}
            activeOptions={{ includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {words(name)}
            {waiting && (
              <span className={tabs.count}>{format.number(waiting.count, { notation: 'compact' })}</span>
            )}
          </TabLink>
        )
      })}
    </nav>
  )
}
