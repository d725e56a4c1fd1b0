import { useTranslations } from 'use-intl'
import { Dialog } from '../../ui/dialog.tsx'
import { Key } from '../../ui/key.tsx'
import { Soft } from '../../ui/layout.tsx'
import styles from './help.module.css'
import { useAllShortcuts } from './shortcuts.tsx'

/** Dialog that lists the active keyboard shortcuts. */
export function Help({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = useTranslations('help')
  const scopes = useAllShortcuts().filter(({ isDialog, shortcuts }) => !isDialog && shortcuts.length > 0)
  return (
    <Dialog title={words('title')} isOpen={isOpen} onClose={onClose}>
      {scopes.map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className={styles.scope}>{title}</h3>
          <dl className={styles.keys}>
            {shortcuts.map(({ key, label, withControl }) => (
              <div key={key} className={styles.key}>
                <dt>
                  {withControl && <Key>{words('control')}</Key>}{' '}
                  <Key>{key.toUpperCase() === 'ENTER' ? words('enter') : key}</Key>
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Soft>{words('off')}</Soft>
    </Dialog>
  )
}
