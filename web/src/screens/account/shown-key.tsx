import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'

/** Shows the value of a key once, to copy. Only its own button closes it. */
export function ShownKey({ value, onClose }: { value: string | null; onClose: () => void }) {
  const words = useTranslations('account.keys')
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <Dialog title={words('shownTitle')} isOpen={value !== null} stays onClose={onClose}>
      {value !== null && (
        <div className={styles.form}>
          <Notice tone="warn" title={words('once')}>
            {words('onceText')}
          </Notice>
          <code className={styles.key}>{value}</code>
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
