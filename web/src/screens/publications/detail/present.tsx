import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Icon } from '../../../ui/icon.tsx'
import { presenceQuery } from '../queries.ts'
import styles from './detail.module.css'

/** Shows which colleagues are viewing the record. The request also registers the user's own presence. */
export function Present({ id }: { id: string }) {
  const words = useTranslations('queue')
  const { data = [] } = useQuery(presenceQuery(id))
  return (
    <div role="status" className={styles.present}>
      {data.length > 0 && (
        <>
          <Icon name="user" />
          {words('present', { names: data.map(({ nom }) => nom ?? words('somebody')).join(', ') })}
        </>
      )}
    </div>
  )
}
