import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useFormatter, useNow } from 'use-intl'
import { asFrenchWrites } from './moment.ts'
import styles from './time.module.css'
import { Tip } from './tip.tsx'

const updateInterval = 30_000

/** Returns the relative time. What has just happened is "now", not in the future: the clock of the page ticks rarely. */
function useAgo(at: string): string {
  const format = useFormatter()
  const now = useNow({ updateInterval })
  const ahead = new Date(at).getTime() - now.getTime()
  return format.relativeTime(ahead > 0 && ahead < updateInterval ? now : new Date(at), now)
}

/** Relative time only, for lines that show the exact time elsewhere. */
export function Ago({ at }: { at: string }) {
  return <time dateTime={at}>{useAgo(at)}</time>
}

/** Relative time, with the exact time in Paris on hover, focus and press. */
export function Time({ at }: { at: string }) {
  const format = useFormatter()
  const ago = useAgo(at)
  const [isExact, setExact] = useState(false)
  const exact = asFrenchWrites(format.dateTime(new Date(at), { dateStyle: 'full', timeStyle: 'medium' }))
  return (
    <Tip text={exact}>
      <Button data-aside className={styles.time} onPress={() => setExact(!isExact)}>
        <time dateTime={at}>{isExact ? exact : ago}</time>
      </Button>
    </Tip>
  )
}
