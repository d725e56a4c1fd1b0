import type { ReactElement } from 'react'
import { Tooltip, TooltipTrigger } from 'react-aria-components'
import styles from './tip.module.css'

/** Tooltip on hover and focus. */
export function Tip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={400} closeDelay={100}>
      {children}
      <Tooltip className={styles.tip} offset={4}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  )
}
