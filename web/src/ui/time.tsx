import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useFormatter, useNow } from 'use-intl'
import styles from './time.module.css'
import { Tip } from './tip.tsx'

/** Relative time only, for lines that show the exact time elsewhere. */
export function Ago({ at }: { at: string }) {
  const format = useFormatter()
  const now = useNow({ updateInterval: 30_000 })
  return <time dateTime={at}>{format.relativeTime(new Date(at), now)}</time>
}

/** Relative time, with the exact time in Paris on hover, focus and press. */
export function Time({ at }: { at: string }) {
  const format = useFormatter()
  const now = useNow({ updateInterval: 30_000 })
  const [isExact, setExact] = useState(false)
  const date = new Date(at)
  const exact = format.dateTime(date, { dateStyle: 'full', timeStyle: 'medium' })
  return (
    <Tip text={exact}>
      <Button className={styles.time} onPress={() => setExact(!isExact)}>
        <time dateTime={at}>{isExact ? exact : format.relativeTime(date, now)}</time>
      </Button>
    </Tip>
  )
}
