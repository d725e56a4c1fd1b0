import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './shown-once.module.css'

type ShownOnceProps = {
  title: string
  /** Where to copy it, and what to do once it is lost. */
  text: string
  /** Null: nothing is shown. */
  value: string | null
  onClose: () => void
}

/** Shows a secret once, to copy. Only its own button closes it. */
export function ShownOnce({ title, text, value, onClose }: ShownOnceProps) {
  const words = useTranslations('shownOnce')
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (secret: string) => {
    await navigator.clipboard.writeText(secret)
    setCopied(secret)
  }
  return (
    <Dialog title={title} isOpen={value !== null} stays onClose={onClose}>
      {value !== null && (
        <div className={styles.form}>
          <Notice tone="warn" title={words('once')}>
            {text}
          </Notice>
          <code className={styles.value}>{value}</code>
          <Button icon={copied === value ? 'check' : 'copy'} autoFocus onPress={() => void copy(value)}>
            {words(copied === value ? 'copied' : 'copy')}
          </Button>
          <Button look="primary" wide onPress={onClose}>
            {words('noted')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
