import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Icon } from '../../../ui/icon.tsx'
import styles from './present.module.css'
import { presenceQuery, type RecordKind } from './queries.ts'

/** Shows which colleagues are viewing the record. The request also registers the user's own presence. */
export function Present({ kind, id }: { kind: RecordKind; id: string }) {
  const words = useTranslations('queue')
  const { data = [] } = useQuery(presenceQuery(kind, id))
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
