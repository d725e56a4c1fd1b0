import { Children, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import styles from './filter-row.module.css'
import { useNarrow } from './narrow.ts'

type FilterRowProps = {
  /** How many of the fields after the first are set. With it, a small screen opens these on request only. */
  set?: number
  children: ReactNode
}

/** The fields that narrow a list: a search field and choices, which wrap where there is no space. */
export function FilterRow({ set, children }: FilterRowProps) {
  const words = useTranslations('ui')
  const isNarrow = useNarrow()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (set === undefined || !isNarrow) return <search className={styles.filters}>{children}</search>
  const [first, ...others] = Children.toArray(children)
  return (
    <search className={styles.collapsible}>
      {first}
      <Button icon="filter" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
        {words('filters', { count: set })}
      </Button>
      <div id={id} hidden={!isOpen} className={styles.filters}>
        {others}
      </div>
    </search>
  )
}

/** How many of these filters are set. */
export const countSet = (...filters: readonly unknown[]): number =>
  filters.filter((value) => value !== undefined && value !== '').length
