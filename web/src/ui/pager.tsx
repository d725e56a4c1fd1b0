import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import styles from './pager.module.css'

type PagerProps = { page: number; perPage: number; total: number; onPage: (page: number) => void }

export function Pager({ page, perPage, total, onPage }: PagerProps) {
  const words = useTranslations('ui')
  if (total === 0) return null
  const last = Math.max(1, Math.ceil(total / perPage))
  return (
    <nav aria-label={words('pages')} className={styles.pager}>
      <span>
        {words('range', {
          from: Math.min(total, (page - 1) * perPage + 1),
          to: Math.min(total, page * perPage),
          total,
        })}
      </span>
      <span className={styles.buttons}>
        <Button small isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
          {words('previous')}
        </Button>
        <Button small isDisabled={page >= last} onPress={() => onPage(page + 1)}>
          {words('next')}
        </Button>
      </span>
    </nav>
  )
}
