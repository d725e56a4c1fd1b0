import { useTranslations } from 'use-intl'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './flag.module.css'
import type { flags } from './search.ts'

/** Flag of a thread, with the name of its colour. */
export function Flag({ colour }: { colour: (typeof flags)[number] }) {
  const words = useTranslations('messages.flags')
  return (
    <span className={cx(styles.flag, styles[colour])}>
      <Icon name="flag" />
      {words(colour)}
    </span>
  )
}
