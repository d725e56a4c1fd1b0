import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './sign-in-form.module.css'

/** Shows the recovery codes once, to note, copy or download. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const words = useTranslations('secondFactor.codes')
  const [isCopied, setCopied] = useState(false)
  const text = codes.join('\n')
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  const download = () => downloadBlob(new Blob([`${text}\n`], { type: 'text/plain' }), words('file'))
  return (
    <div className={styles.form}>
      <Notice tone="warn" title={words('title')}>
        {words('text')}
      </Notice>
      <ul className={styles.codes} aria-label={words('list')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.pair}>
        <Button icon={isCopied ? 'check' : 'copy'} onPress={() => void copy()}>
          {words(isCopied ? 'copied' : 'copy')}
        </Button>
        <Button icon="download" onPress={download}>
          {words('download')}
        </Button>
      </div>
      <Button look="primary" wide autoFocus onPress={onDone}>
        {words('done')}
      </Button>
    </div>
  )
}
