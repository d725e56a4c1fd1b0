import { useTranslations } from 'use-intl'
import { connection } from '../api/connection.ts'
import { Notice } from '../ui/notice.tsx'
import styles from './connection-banner.module.css'

/** Banner shown while the service cannot be reached. */
export function ConnectionBanner() {
  const words = useTranslations('connection')
  const state = connection.use()
  if (state === 'ok') return null
  return (
    <div className={styles.banner}>
      <Notice tone="warn" icon={state === 'busy' ? 'clock' : 'offline'} title={words(`${state}.title`)}>
        {words(`${state}.text`)}
      </Notice>
    </div>
  )
}
